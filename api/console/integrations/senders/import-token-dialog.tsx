import { PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { requestJson } from '../../http/request.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { Dialog } from '../../parts/feedback/dialog.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { FormActions } from '../../parts/feedback/form-actions.tsx';
import { inputErrors } from '../../parts/input-errors.ts';
import { toInputError } from '../../parts/values/message.tsx';
import { importedTokensPath, sendersPath } from './path.ts';

interface ImportTokenProps {
  webhookId: string;
  onClose: () => void;
}

/** Lets an integration accept a token that another product made. */
export default function ImportTokenDialog(props: ImportTokenProps) {
  return (
    <Dialog onClose={props.onClose} title="Import token" centered>
      <ImportTokenForm {...props} />
    </Dialog>
  );
}

function ImportTokenForm({ webhookId, onClose }: ImportTokenProps) {
  const [token, setToken] = useState('');
  const [source, setSource] = useState('');
  const cache = useQueryClient();
  const saving = useMutation({
    mutationFn: () => requestJson(importedTokensPath(webhookId), { method: 'POST', json: { token, source } }),
    onSuccess: async () => {
      announce(`Imported the token of ${source}`);
      onClose();
      await cache.invalidateQueries({ queryKey: [sendersPath(webhookId)] });
    },
  });
  const errors = inputErrors(saving.error, ['token', 'source']);
  const save = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <form onSubmit={save} noValidate>
      <Stack>
        <Text size="sm">
          The key of an Opsgenie or PagerDuty integration, or the token in the URL of a Grafana OnCall
          integration. What sends with it then only needs the address of Muster.
        </Text>
        <PasswordInput
          label="Token"
          description="Muster stores its hash and never shows it again"
          value={token}
          onChange={({ currentTarget }) => setToken(currentTarget.value)}
          error={toInputError(errors.at('token'))}
          autoComplete="off"
          data-autofocus
        />
        <TextInput
          label="Where it comes from"
          placeholder="Opsgenie: Datadog production"
          value={source}
          maxLength={100}
          onChange={({ currentTarget }) => setSource(currentTarget.value)}
          error={toInputError(errors.at('source'))}
          autoComplete="off"
        />
        {errors.hasOthers && <Failure error={saving.error} title="Could not import the token" />}
        <FormActions
          submit="Import token"
          cancel={onClose}
          isBusy={saving.isPending}
          isIncomplete={token.trim() === '' || source.trim() === ''}
        />
      </Stack>
    </form>
  );
}
