import { useState } from 'react';
import type { Webhook } from '../../http/types.ts';
import { GENERIC_SAMPLE, keepSample, lastSample } from '../webhook/sample-payload.ts';
import { useTemplates } from '../webhook/use-templates.ts';

export interface TestPayload {
  text: string;
  /** False until the sample is known: it must not appear in the middle of what a person is typing or pasting. */
  isReady: boolean;
  /** Where the payload is from, as a sentence. */
  origin: string;
  change: (text: string) => void;
  /** Undefined if the text is the sample already. */
  reset: (() => void) | undefined;
  /** Replaces the text with a payload that resolves the sample's alert. Undefined if the template has none, or if it is the text already. */
  resolve: (() => void) | undefined;
}

/** The payload to send: the one last edited here or pasted on the mapping page, otherwise the template's sample. */
export function useTestPayload(webhook: Webhook): TestPayload {
  const { data: templates, isPending } = useTemplates();
  const [typed, setTyped] = useState(() => lastSample(webhook.id));
  const template = templates?.find(({ name }) => name === webhook.template);
  const isKnown = webhook.template === null || templates !== undefined;
  const sample = isKnown ? JSON.stringify(template?.sample ?? GENERIC_SAMPLE, null, 2) : '';
  const resolving = template?.resolvingSample ? JSON.stringify(template.resolvingSample, null, 2) : null;
  const change = (text: string) => {
    setTyped(text);
    keepSample(webhook.id, text);
  };
  return {
    text: typed ?? sample,
    isReady: typed !== null || isKnown || !isPending,
    origin: typed === null ? originOf(template?.title) : 'Your last edit',
    change,
    reset: typed === null || typed === sample ? undefined : () => change(sample),
    resolve: resolving === null || typed === resolving ? undefined : () => change(resolving),
  };
}

const originOf = (title: string | undefined): string =>
  title
    ? `Sample payload from ${title}. Edit it as you like.`
    : 'Example payload. Replace it with what your source sends.';
