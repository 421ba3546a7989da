import { Button, TextInput } from '@mantine/core';
import { type RefObject, useState } from 'react';
import styles from './review.module.css';
import type { Review } from './use-review.ts';

const looksLikeEmail = (text: string): boolean => /^[^@\s]+@[^@\s]+$/.test(text);

/** Names an owner who is not among the candidates. Escape leaves the input, so that keys decide again. */
export function OtherOwner({ review, input }: { review: Review; input: RefObject<HTMLInputElement | null> }) {
  const [email, setEmail] = useState('');
  const [isInvalid, setInvalid] = useState(false);
  const decide = () => {
    const owner = email.trim().toLowerCase();
    setInvalid(!looksLikeEmail(owner));
    if (!looksLikeEmail(owner)) return input.current?.focus();
    input.current?.blur();
    review.decide({ decision: 'owner', email: owner });
  };
  return (
    <form
      className={styles.other}
      onSubmit={(event) => {
        event.preventDefault();
        decide();
      }}
    >
      <TextInput
        ref={input}
        label="Another owner"
        type="email"
        placeholder="ada@example.com"
        autoComplete="off"
        value={email}
        error={isInvalid && 'Enter an email address.'}
        onChange={({ currentTarget }) => {
          setEmail(currentTarget.value);
          setInvalid(false);
        }}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Escape') currentTarget.blur();
        }}
      />
      <Button type="submit" variant="default" disabled={email.trim() === ''}>
        Make owner
      </Button>
    </form>
  );
}
