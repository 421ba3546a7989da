import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { request } from '../../http/request.ts';
import { useSendOnce } from '../../http/use-send-once.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { Confirm } from '../../parts/feedback/confirm.tsx';
import { Section } from '../../parts/section.tsx';
import { TABLES, tableEntry } from '../use-table.ts';

/** Deletes a table, after a confirmation. */
export function DeleteSection({ name }: { name: string }) {
  const cache = useQueryClient();
  const once = useSendOnce();
  const [, navigate] = useLocation();
  const { path, queryKey } = tableEntry(name);
  const remove = async () => {
    await once(name, (key) => request(path, { method: 'DELETE', headers: { 'idempotency-key': key } }));
    navigate('/tables');
    cache.removeQueries({ queryKey });
    await cache.invalidateQueries({ queryKey: [TABLES] });
    announce(`Deleted table ${name}`);
  };
  return (
    <Section title="Delete" about="Lookups in the table find nothing then.">
      <Confirm
        label="Delete table"
        title={`Delete ${name}?`}
        mustType={name}
        size="sm"
        color="red"
        onConfirm={remove}
      >
        The table and all its revisions are deleted. You cannot undo this.
      </Confirm>
    </Section>
  );
}
