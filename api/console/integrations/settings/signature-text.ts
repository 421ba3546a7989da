import type { SignaturePreset, Webhook } from '../../http/types.ts';

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
