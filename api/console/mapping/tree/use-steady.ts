import { useRef } from 'react';

type Actions = Record<string, (...args: never[]) => void>;

/** An object that stays the same; each call goes to the function of that name that was given last. */
export function useSteady<Given extends { [Name in keyof Given]: (...args: never[]) => void }>(
  actions: Given,
): Given {
  const latest = useRef(actions);
  latest.current = actions;
  const steady = useRef<Given>(undefined);
  steady.current ??= Object.fromEntries(
    Object.keys(actions).map((name) => [
      name,
      (...args: never[]) => (latest.current as Actions)[name]?.(...args),
    ]),
  ) as Given;
  return steady.current;
}
