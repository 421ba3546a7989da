import { useEffect, useState } from 'react';
import { keepSample, lastSample } from '../../integrations/webhook/sample-payload.ts';
import { isJson } from '../../parts/values/json-text.ts';
import type { JsonError } from '../model/json-error.ts';

/** Holds the pasted text, and the last version of it that was valid JSON. */
export function usePaste(webhookId: string) {
  const [text, setText] = useState(() => lastSample(webhookId) ?? '');
  const [validText, setValidText] = useState(() => (isJson(text) ? text.trim() : ''));
  const error = useJsonError(text);
  const change = (next: string) => {
    setText(next);
    keepSample(webhookId, next);
    if (isJson(next) || next.trim() === '') setValidText(next.trim());
  };
  return { text, error, validText, change };
}

/** Returns the first error of a JSON text. The JSON grammar is loaded when it is first needed. */
function useJsonError(text: string): JsonError | null {
  const [error, setError] = useState<JsonError | null>(null);
  useEffect(() => {
    let isOutdated = false;
    const check = async () => {
      const isInvalid = text.trim() !== '' && !isJson(text);
      const found = isInvalid ? (await import('../model/json-error.ts')).findJsonError(text) : null;
      if (!isOutdated) setError(found);
    };
    void check();
    return () => {
      isOutdated = true;
    };
  }, [text]);
  return error;
}
