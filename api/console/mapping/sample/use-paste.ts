import { useEffect, useState } from 'react';
import { keepSample, lastSample } from '../../integrations/webhook/sample-payload.ts';
import { isJson } from '../../parts/values/json-text.ts';
import type { JsonError } from '../model/json-error.ts';

/** What is being pasted, and the last of it that was JSON. */
export function usePaste(webhookId: string) {
  const [text, setText] = useState(() => lastSample(webhookId) ?? '');
  const [good, setGood] = useState(() => (isJson(text) ? text.trim() : ''));
  const error = useJsonError(text);
  const change = (next: string) => {
    setText(next);
    keepSample(webhookId, next);
    if (isJson(next) || next.trim() === '') setGood(next.trim());
  };
  return { text, error, good, change };
}

/** Where the text stops being JSON. The grammar that knows it is loaded when it is first needed. */
function useJsonError(text: string): JsonError | null {
  const [error, setError] = useState<JsonError | null>(null);
  useEffect(() => {
    let isLate = false;
    const tell = async () => {
      const wrong = text.trim() !== '' && !isJson(text);
      const found = wrong ? (await import('../model/json-error.ts')).findJsonError(text) : null;
      if (!isLate) setError(found);
    };
    void tell();
    return () => {
      isLate = true;
    };
  }, [text]);
  return error;
}
