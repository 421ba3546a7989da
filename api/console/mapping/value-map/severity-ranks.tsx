import { Select, Stack, Text } from '@mantine/core';
import type { OwnSeverities } from '../../http/types.ts';
import { SEVERITIES } from '../model/draft/alert-fields.ts';
import { rankedAs, withRank } from '../model/draft/own-ranks.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import styles from './value-map.module.css';

interface SeverityRanksProps {
  words: readonly string[];
  ranks: OwnSeverities;
  change(ranks: OwnSeverities): void;
}

/** The ranks of severities that are not built in: each counts as a built-in one, or has no rank. */
export function SeverityRanks({ words, ranks, change }: SeverityRanksProps) {
  const { mayWrite } = useEditorContext();
  if (words.length === 0) return null;
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        Filters and sorting take these severities for the built-in ones that they count as. Of several, the
        first is the most severe.
      </Text>
      {words.map((word) => (
        <div key={word} className={styles.rank}>
          <Text size="sm">
            <bdi>{word}</bdi> counts as
          </Text>
          <Select
            aria-label={`${word} counts as`}
            placeholder="No rank"
            data={[...SEVERITIES]}
            value={rankedAs(ranks, word)}
            readOnly={!mayWrite}
            clearable={mayWrite}
            onChange={(as) => change(withRank(ranks, word, as))}
          />
        </div>
      ))}
    </Stack>
  );
}
