import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconArrowsSplit2 } from '@tabler/icons-react';
import { Link } from 'wouter';
import { announce } from '../../parts/feedback/announce.tsx';
import { Time } from '../../parts/values/time.tsx';
import { replaceInExpression } from '../expression-editor/expression-paths.ts';
import { labelOf, targetOfResult } from '../model/draft/alert-fields.ts';
import { fieldAt } from '../model/draft/draft.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import { type DriftProblem, type PathProblem, stillHas, useDrift } from './use-drift.ts';

const SHOWN = 5;

/** Says where events no longer fit the mapping, and changes the draft as proposed. */
export function DriftNotice() {
  const { webhook, base, draft } = useEditorContext();
  const problems = useDrift(webhook.id).filter((problem) => stillHas(draft, problem));
  if (base.revision === 0 || problems.length === 0) return null;
  return (
    <Alert
      color="yellow"
      mb="md"
      icon={<IconArrowsSplit2 size={18} aria-hidden />}
      title="New events do not fit this mapping"
    >
      <Stack gap="xs" component="ul" style={{ listStyle: 'none', padding: 0, margin: 0 }}>
        {problems.slice(0, SHOWN).map((problem) => (
          <Group component="li" key={JSON.stringify(problem)} justify="space-between" gap="sm">
            <Text size="sm" flex="1 1 20rem">
              <About problem={problem} />{' '}
              <Anchor component={Link} href={`/events/${problem.eventId}`} size="sm" underline="always">
                View event
              </Anchor>
            </Text>
            <Remedy problem={problem} />
          </Group>
        ))}
        {problems.length > SHOWN && <li>and {problems.length - SHOWN} more</li>}
      </Stack>
    </Alert>
  );
}

const nameOf = (field: string): string =>
  field === 'filter' ? 'the filter' : labelOf(targetOfResult(field));

function About({ problem }: { problem: DriftProblem }) {
  if (problem.kind === 'type')
    return (
      <>
        Events of the type <bdi>{problem.type}</bdi> are new.
      </>
    );
  if (problem.kind === 'word')
    return (
      <>
        {nameOf(problem.field)} does not know the word <b>{problem.word}</b>.
      </>
    );
  return (
    <>
      Events no longer contain <code>{problem.path}</code>, which {nameOf(problem.field)} reads.
      {problem.last && (
        <>
          {' '}
          The last one that did came <Time at={problem.last.at} />.
        </>
      )}
    </>
  );
}

function Remedy({ problem }: { problem: DriftProblem }) {
  const { mayWrite, editValues } = useEditorContext();
  if (!mayWrite) return null;
  if (problem.kind === 'path') return <Replace problem={problem} />;
  if (problem.kind === 'type') return null;
  const map = () => editValues(targetOfResult(problem.field), [problem.word]);
  return (
    <Button size="compact-sm" variant="default" onClick={map}>
      Map value
    </Button>
  );
}

function Replace({ problem: { field, path, proposed } }: { problem: PathProblem }) {
  const { draft, dispatch, insertedText } = useEditorContext();
  if (proposed === null) return null;
  const target = targetOfResult(field);
  const replace = () => {
    if (field === 'filter')
      dispatch({ type: 'filter', filter: replaceInExpression(draft.filter, path, proposed) });
    else {
      const isExpression = fieldAt(draft, target).expression !== undefined;
      const by = isExpression ? (insertedText(target, proposed) ?? proposed) : proposed;
      dispatch({ type: 'replacePath', target, path, by });
    }
    announce(`${nameOf(field)} now uses ${proposed}`);
  };
  return (
    <Button size="compact-sm" onClick={replace}>
      Use {proposed}
    </Button>
  );
}
