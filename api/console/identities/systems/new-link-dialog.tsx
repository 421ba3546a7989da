import { Alert, Button, Group, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { requestJson } from '../../http/request.ts';
import type { One, UploadLink } from '../../http/types.ts';
import { expiresAt, LIFETIMES } from '../../keys/expiry.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { Dialog } from '../../parts/feedback/dialog.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { FormActions } from '../../parts/feedback/form-actions.tsx';
import { inputErrors } from '../../parts/input-errors.ts';
import { CopyText } from '../../parts/values/copy.tsx';
import { toInputError } from '../../parts/values/message.tsx';
import { counted } from '../../text/quantities.ts';
import { UPLOAD_LINKS_PATH } from './upload-links-path.ts';

type NewLink = UploadLink & { url: string };

interface DialogProps {
  integrationId: string;
  onClose: () => void;
}

/** Makes an upload link, and then shows it once. */
export default function NewLinkDialog({ integrationId, onClose }: DialogProps) {
  const [made, setMade] = useState<NewLink | null>(null);
  return (
    <Dialog
      onClose={onClose}
      title={made ? 'Upload link made' : 'New upload link'}
      size="lg"
      centered
      // A click outside or Escape would lose the link.
      closeOnClickOutside={made === null}
      closeOnEscape={made === null}
    >
      {made ? (
        <MadeLink made={made} onClose={onClose} />
      ) : (
        <LinkForm integrationId={integrationId} onMade={setMade} onClose={onClose} />
      )}
    </Dialog>
  );
}

function LinkForm({ integrationId, onMade, onClose }: DialogProps & { onMade: (link: NewLink) => void }) {
  const [name, setName] = useState('');
  const [uploads, setUploads] = useState<string | number>(5);
  const [days, setDays] = useState('7');
  const cache = useQueryClient();
  const making = useMutation({
    mutationFn: () =>
      requestJson<One<NewLink>>(UPLOAD_LINKS_PATH, {
        method: 'POST',
        json: { integrationId: Number(integrationId), name, uploads, expiresAt: expiresAt(days, Date.now()) },
      }),
    onSuccess: ({ data }) => {
      onMade(data);
      void cache.invalidateQueries({ queryKey: [UPLOAD_LINKS_PATH] });
    },
  });
  const errors = inputErrors(making.error, ['name', 'uploads', 'expiresAt']);
  const make = (event: FormEvent) => {
    event.preventDefault();
    making.mutate();
  };
  return (
    <form onSubmit={make} noValidate>
      <Stack>
        <TextInput
          label="Name"
          description="Whom or what the link is for. The person who has the link sees it."
          value={name}
          maxLength={100}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={toInputError(errors.at('name'))}
          autoComplete="off"
          data-autofocus
        />
        <NumberInput
          label="Uploads"
          description="How many files it may import. Checks of a file do not count."
          value={uploads}
          min={1}
          max={1000}
          allowDecimal={false}
          onChange={setUploads}
          error={toInputError(errors.at('uploads'))}
        />
        <Select
          label="Ends"
          data={LIFETIMES.filter(({ value }) => value !== '')}
          value={days}
          allowDeselect={false}
          onChange={(value) => setDays(value ?? '')}
          error={toInputError(errors.at('expiresAt'))}
        />
        {errors.hasOthers && <Failure error={making.error} title="Could not make the link" />}
        <FormActions
          submit="Make link"
          cancel={onClose}
          isBusy={making.isPending}
          isIncomplete={name.trim() === '' || uploads === ''}
        />
      </Stack>
    </form>
  );
}

/** The text of a new link. This is the only time that it is shown. */
function MadeLink({ made, onClose }: { made: NewLink; onClose: () => void }) {
  useEffect(() => announce('Upload link made. Copy it now: it is not shown again.'), []);
  return (
    <Stack>
      <Alert color="yellow" title="Copy the link now">
        The link is shown only once, and Muster keeps no copy. Send it as you would send a password: anyone
        who has it can change the owners of the accounts.
      </Alert>
      <CopyText text={made.url} what="the link" />
      <Text size="sm">
        <b>
          <bdi>{made.name}</bdi>
        </b>
        : {counted(made.uploadsAllowed, 'upload')}, until {new Date(made.expiresAt).toLocaleString()}
      </Text>
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  );
}
