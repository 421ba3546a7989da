import { Button } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { announce } from '../feedback/announce.tsx';
import styles from '../parts.module.css';

const SHOWN_MS = 1_500;

interface CopyProps {
  text: string;
  /** What is copied, for the accessible name: "the URL". */
  what: string;
}

/** A button that copies a text to the clipboard and announces it. */
export function CopyButton({ text, what }: CopyProps) {
  const [result, setResult] = useState<'copied' | 'failed' | null>(null);
  useEffect(() => {
    if (result === null) return;
    const timer = setTimeout(() => setResult(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = async () => {
    const done = await copyText(text);
    setResult(done ? 'copied' : 'failed');
    announce(done ? `Copied ${what}` : `Could not copy ${what}`);
  };
  const icon = result === 'copied' ? <IconCheck size={16} /> : <IconCopy size={16} />;
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={icon}
      onClick={copy}
      aria-label={`Copy ${what}`}
      miw={96}
    >
      {result === 'copied' ? 'Copied' : result === 'failed' ? 'Failed' : 'Copy'}
    </Button>
  );
}

/** Copies a text. Returns false if that fails: browsers have a clipboard on https: and loopback addresses only. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** A text to copy, on unwrapped lines, with a copy button. */
export const CopyText = ({ text, what }: CopyProps) => (
  <div className={styles.copyText}>
    <section className={styles.copyScroll} tabIndex={0} aria-label={what}>
      <pre>{text}</pre>
    </section>
    <CopyButton text={text} what={what} />
  </div>
);
