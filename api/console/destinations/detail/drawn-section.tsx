import { Stack, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { RequestFailure } from '../../http/request-failure.ts';
import type { Destination } from '../../http/types.ts';
import { Overtaken, SaveRow, useSaveEntry } from '../../parts/saving/save-section.tsx';
import { Section } from '../../parts/section.tsx';
import styles from '../drawn/drawn.module.css';
import { DrawnFields, hasBody } from '../drawn/drawn-fields.tsx';
import { type DrawnForm, fromDrawn, rehearsed, toDrawn } from '../drawn/drawn-form.ts';
import { LastDays } from '../drawn/last-days.tsx';
import { PreviewedMessages } from '../drawn/previewed-messages.tsx';
import { usePreviewedMessages } from '../drawn/use-rehearsal.ts';
import { destinationEntry } from '../use-destination.ts';

const DONE = 'Saved';

/** Sets the filter and the body of a destination, with what it would get of stored alerts next to them. */
export function DrawnSection({ destination }: { destination: Destination }) {
  const [form, setForm] = useState(() => toDrawn(destination));
  const { save, replace, accept, theirs, isPending, isSuccess, error } = useSaveEntry(
    destinationEntry(destination.id),
    destination,
    partOf,
  );
  const drawsBody = hasBody(destination.preset);
  const json = fromDrawn(form);
  const settings = rehearsed({ ...destination, ...json });
  const preview = usePreviewedMessages(settings);
  const isChanged = JSON.stringify(json) !== JSON.stringify(fromDrawn(toDrawn(destination)));
  const invalid = errorsOf(preview.error);
  const rejected = errorsOf(error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save(json, DONE);
  };
  const take = (newer: Destination) => {
    setForm(toDrawn(newer));
    accept(newer);
  };
  return (
    <Section
      title={drawsBody ? 'Filter and body' : 'Filter'}
      about={`Which alerts it is told of besides the choice above${drawsBody ? ', and what their messages look like' : ''}.`}
      wide
    >
      <div className={styles.sides}>
        <Stack component="form" onSubmit={submit}>
          <DrawnFields
            preset={destination.preset}
            form={form}
            change={(some) => setForm((before) => ({ ...before, ...some }))}
            errors={invalid.length > 0 ? invalid : rejected}
          />
          <Overtaken
            theirs={theirs}
            describe={(newer) => textOf(toDrawn(newer))}
            yours={textOf(form)}
            take={take}
            keep={(newer) => replace(newer, json, DONE)}
          />
          <SaveRow
            isChanged={isChanged}
            isPending={isPending}
            isSaved={isSuccess}
            error={rejected.length > 0 ? null : error}
          />
          <LastDays settings={settings} />
        </Stack>
        <div>
          <Title order={3} size="h6" mb="xs">
            With the newest alerts
          </Title>
          <PreviewedMessages preview={preview} preset={destination.preset} />
        </div>
      </div>
    </Section>
  );
}

const partOf = ({ filter, body }: Destination) => ({ filter, body });

const errorsOf = (error: unknown) =>
  error instanceof RequestFailure && error.status === 400 ? error.errors : [];

const textOf = (form: DrawnForm): string =>
  `Filter: ${form.filter || 'none'}\nBody: ${form.kind === 'preset' ? 'as the preset has it' : form[form.kind]}`;
