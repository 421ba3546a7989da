import { useSearchParams } from 'wouter';

const NAME = 'export';

/** Returns the ids of the exports that this page shows. They are kept in its address, so a reload keeps them. */
export function useExports() {
  const [search, setSearch] = useSearchParams();
  const write = (ids: string[]) =>
    setSearch(
      (before) => {
        before.delete(NAME);
        for (const id of ids) before.append(NAME, id);
        return before;
      },
      { replace: true },
    );
  const ids = search.getAll(NAME);
  return {
    ids,
    add: (id: string) => write([...ids, id]),
    forget: (id: string) => write(ids.filter((one) => one !== id)),
  };
}
