import { useRef } from 'react';

type Actions = Record<string, (...args: never[]) => void>;

/** Returns an object that never changes. Each call goes to the latest function of that name. */
export function useStableActions<Given extends { [Name in keyof Given]: (...args: never[]) => void }>(
  actions: Given,
): Given {
  const latest = useRef(actions);
  latest.current = actions;
  const stable = useRef<Given>(undefined);
  stable.current ??= Object.fromEntries(
    Object.keys(actions).map((name) => [
      name,
      (...args: never[]) => (latest.current as Actions)[name]?.(...args),
    ]),
  ) as Given;
  return stable.current;
}
