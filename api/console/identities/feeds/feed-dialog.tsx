import { Checkbox, PasswordInput, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { requestJson } from '../../http/request.ts';
import { RequestFailure } from '../../http/request-failure.ts';
import type { Feed, One } from '../../http/types.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { Dialog } from '../../parts/feedback/dialog.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { FormActions } from '../../parts/feedback/form-actions.tsx';
import { AccountSystemInput } from '../systems/account-system-input.tsx';
import { type FeedInputs, KINDS, SOURCE_INPUTS, toInputs, toSettings } from './feed-inputs.ts';
import { FEEDS_PATH, feedAddress } from './use-feeds.ts';

interface DialogProps {
  /** Null: a new one. */
  feed: Feed | null;
  onClose: () => void;
}

/** A dialog for the settings of a feed: its source, its recipe and its schedule. */
export default function FeedDialog({ feed, onClose }: DialogProps) {
  const [inputs, setInputs] = useState<FeedInputs>(() => toInputs(feed));
  const [hasSource, setHasSource] = useState(feed === null);
  const cache = useQueryClient();
  const [, navigate] = useLocation();
  const set = (change: Partial<FeedInputs>) => setInputs((present) => ({ ...present, ...change }));
  const setSource = (name: string, value: string) => set({ source: { ...inputs.source, [name]: value } });
  const saving = useMutation({
    mutationFn: () => {
      const json = toSettings(inputs, { hasSource, feed });
      return feed
        ? requestJson<One<Feed>>(`${FEEDS_PATH}/${feed.id}`, {
            method: 'PATCH',
            json,
            headers: { 'if-match': `"${feed.revision}"` },
          })
        : requestJson<One<Feed>>(FEEDS_PATH, { method: 'POST', json });
    },
    onSuccess: async ({ data }) => {
      await cache.invalidateQueries({ queryKey: [FEEDS_PATH] });
      announce(`Saved the feed ${data.name}`);
      onClose();
      if (!feed) navigate(feedAddress(data.id));
    },
  });
  const errors = saving.error instanceof RequestFailure ? saving.error.errors : [];
  const errorOf = (...fields: string[]) =>
    errors.find(({ field }) => field !== null && fields.includes(field))?.message;
  const save = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <Dialog onClose={onClose} title={feed ? `Change ${feed.name}` : 'New feed'} size="lg">
      <form onSubmit={save} noValidate>
        <Stack gap="sm">
          <TextInput
            label="Name"
            value={inputs.name}
            maxLength={100}
            error={errorOf('name')}
            onChange={({ currentTarget }) => set({ name: currentTarget.value })}
            autoComplete="off"
            data-autofocus
          />
          {feed && (
            <Checkbox
              label="Replace the source"
              description={`Now ${feed.source.location}. Its secrets are entered again.`}
              checked={hasSource}
              onChange={({ currentTarget }) => setHasSource(currentTarget.checked)}
            />
          )}
          {hasSource && (
            <>
              <Select
                label="Source"
                data={KINDS}
                value={inputs.kind}
                allowDeselect={false}
                onChange={(kind) => kind && set({ kind, source: {} })}
              />
              {(SOURCE_INPUTS[inputs.kind] ?? []).map(({ name, label, description, placeholder, type }) => {
                const common = {
                  label,
                  description,
                  placeholder,
                  value: inputs.source[name] ?? '',
                  error: errorOf(`source.${name}`),
                  onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
                    setSource(name, currentTarget.value),
                };
                if (type === 'secret')
                  return <PasswordInput key={name} {...common} autoComplete="new-password" />;
                if (type === 'lines') return <Textarea key={name} {...common} rows={3} spellCheck={false} />;
                return <TextInput key={name} {...common} autoComplete="off" spellCheck={false} />;
              })}
            </>
          )}
          <AccountSystemInput
            label="Account system of all rows"
            description="Leave it empty if a column of the file has it"
            value={inputs.integrationId}
            error={errorOf('recipe.integrationId', 'mirror')}
            onValue={(integrationId) => set({ integrationId })}
          />
          <Checkbox
            label="The file is complete: remove the accounts of this account system that it does not name"
            checked={inputs.isMirror}
            onChange={({ currentTarget }) => set({ isMirror: currentTarget.checked })}
          />
          <Text size="sm" fw={500}>
            Columns and rules
          </Text>
          {(['email', 'identity'] as const).map((field) => (
            <TextInput
              key={field}
              label={field === 'email' ? 'Email' : 'Identity'}
              description="The name of a column, or = and an expression such as =row.Login.lowerAscii(). Empty: found by its known names"
              value={inputs[field]}
              error={errorOf(`recipe.rules.${field}`, `recipe.columns.${field}`)}
              onChange={({ currentTarget }) => set({ [field]: currentTarget.value })}
              autoComplete="off"
              spellCheck={false}
            />
          ))}
          <TextInput
            label="Only rows with"
            description='A condition such as row.Kind != "contractor". Empty: all rows'
            value={inputs.keep}
            error={errorOf('recipe.keep')}
            onChange={({ currentTarget }) => set({ keep: currentTarget.value })}
            autoComplete="off"
            spellCheck={false}
          />
          <TextInput
            label="Schedule"
            description="Five fields of cron, such as 30 2 * * *. Empty: only when somebody starts it"
            value={inputs.cron}
            error={errorOf('schedule.cron', 'schedule')}
            onChange={({ currentTarget }) => set({ cron: currentTarget.value })}
            autoComplete="off"
          />
          <TextInput
            label="Time zone"
            value={inputs.timeZone}
            error={errorOf('schedule.timeZone')}
            onChange={({ currentTarget }) => set({ timeZone: currentTarget.value })}
            autoComplete="off"
          />
          {saving.error && <Failure error={saving.error} title="Could not save the feed" />}
          <FormActions submit={feed ? 'Save' : 'Create feed'} cancel={onClose} isBusy={saving.isPending} />
        </Stack>
      </form>
    </Dialog>
  );
}
