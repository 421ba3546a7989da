import { useState } from 'react';
import type { Webhook } from '../../http/types.ts';
import { GENERIC_SAMPLE, keepSample, lastSample } from '../webhook/sample-payload.ts';
import { useTemplates } from '../webhook/use-templates.ts';

export interface TestPayload {
  text: string;
  /** Where it is from, in words. */
  origin: string;
  change: (text: string) => void;
  /** Undefined when it is the sample already. */
  reset: (() => void) | undefined;
}

/** The payload to send: what was last worked with here or over the mapping, else the template's sample. */
export function useTestPayload(webhook: Webhook): TestPayload {
  const { data: templates } = useTemplates();
  const [typed, setTyped] = useState(() => lastSample(webhook.id));
  const template = templates?.find(({ name }) => name === webhook.template);
  const isKnown = webhook.template === null || templates !== undefined;
  const sample = isKnown ? JSON.stringify(template?.sample ?? GENERIC_SAMPLE, null, 2) : '';
  const change = (text: string) => {
    setTyped(text);
    keepSample(webhook.id, text);
  };
  return {
    text: typed ?? sample,
    origin: typed === null ? originOf(template?.title) : 'As you left it',
    change,
    reset: typed === null || typed === sample ? undefined : () => change(sample),
  };
}

const originOf = (title: string | undefined): string =>
  title
    ? `A sample of what ${title} sends; change it as you like`
    : 'An example; put in what your source sends';
