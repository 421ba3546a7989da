import { type FormEvent, useState } from 'react';
import type { SignaturePreset, Webhook } from '../../http/types.ts';
import { DEFAULT_GRACE } from '../../parts/saving/grace-periods.ts';
import { type ParameterTexts, toParameters, toTexts } from './scheme.tsx';
import { useSaveSection } from './use-save-section.ts';

/** The API rejects shorter secrets. In characters. */
const MIN_SECRET_LENGTH = 16;

const DONE = 'Saved the signature settings';

/** The state of the signature form. */
export function useSignatureForm(webhook: Webhook, presets: readonly SignaturePreset[]) {
  const { signature } = webhook;
  const [scheme, choose] = useState<string | null>(signature?.scheme ?? null);
  const [texts, setTexts] = useState<ParameterTexts>(toTexts(signature?.parameters ?? {}));
  const [secret, setSecret] = useState(signature?.secret ?? '');
  const [grace, setGrace] = useState(DEFAULT_GRACE);
  const [observes, setObserves] = useState(signature?.mode === 'observe');
  // Enforcing elsewhere on this page changes the mode that is saved.
  const [savedMode, setSavedMode] = useState(signature?.mode);
  if (savedMode !== signature?.mode) {
    setSavedMode(signature?.mode);
    setObserves(signature?.mode === 'observe');
  }
  const section = useSaveSection(webhook, signatureOf);

  const preset = presets.find(({ name }) => name === scheme) ?? null;
  const parameters = preset ? toParameters(preset, texts) : {};
  const isSame = preset?.name === signature?.scheme;
  const isNewSecret = preset !== null && preset.secret !== null && secret !== (signature?.secret ?? '');
  const isRotation = isSame && preset !== null && isNewSecret && signature?.secret != null;
  const change = preset && {
    scheme: preset.name,
    parameters,
    ...(preset.secret && (isNewSecret || !isSame) ? { secret } : {}),
    mode: observes ? 'observe' : 'enforce',
    ...(isRotation ? { graceSeconds: Number(grace) } : {}),
  };
  const isChanged =
    !isSame ||
    isNewSecret ||
    (preset !== null &&
      (observes !== (signature?.mode === 'observe') || !isEqual(parameters, signature?.parameters ?? {})));
  const hasRequired = preset?.parameters.every(({ name, required }) => !required || texts[name]) ?? true;
  const hasSecret = !preset?.secret || secret.length >= MIN_SECRET_LENGTH;

  return {
    preset,
    choose,
    accept: (proposed: string, parameters: ParameterTexts) => {
      choose(proposed);
      setTexts(parameters);
    },
    texts,
    changeParameter: (name: string, text: string) => setTexts({ ...texts, [name]: text }),
    secret,
    setSecret,
    grace,
    setGrace,
    observes,
    setObserves,
    isRotation,
    isChanged,
    isComplete: hasRequired && hasSecret,
    section,
    save: (event: FormEvent) => {
      event.preventDefault();
      section.save({ signature: change }, DONE);
    },
    /** What the form has, for somebody who has to choose between this and what somebody else saved. */
    description: describeSignature(
      preset && { scheme: preset.name, parameters, secret, mode: observes ? 'observe' : 'enforce' },
      presets,
    ),
    keep: (newer: Webhook) => section.replace(newer, { signature: change }, DONE),
    take: (newer: Webhook) => {
      choose(newer.signature?.scheme ?? null);
      setTexts(toTexts(newer.signature?.parameters ?? {}));
      setSecret(newer.signature?.secret ?? '');
      setObserves(newer.signature?.mode === 'observe');
      section.accept(newer);
    },
  };
}

const isEqual = (one: object, other: object): boolean =>
  JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort());

type Settings = Pick<NonNullable<Webhook['signature']>, 'scheme' | 'parameters' | 'secret' | 'mode'>;

/** Returns what a person sets of an integration's signature, without what is counted. */
export function signatureOf({ signature }: Webhook): Settings | null {
  if (!signature) return null;
  const { scheme, parameters, secret, mode } = signature;
  return { scheme, parameters, secret, mode };
}

/** Returns the settings of a signature as lines of text. Of the secret, it has only the end. */
export function describeSignature(settings: Settings | null, presets: readonly SignaturePreset[]): string {
  if (!settings) return 'None';
  const { scheme, parameters, secret, mode } = settings;
  return [
    presets.find(({ name }) => name === scheme)?.title ?? scheme,
    ...Object.entries(parameters).map(([name, value]) => `${name}: ${value}`),
    ...(secret ? [`secret that ends with “${secret.slice(-4)}”`] : []),
    mode === 'observe' ? 'observe only' : 'enforced',
  ].join('\n');
}
