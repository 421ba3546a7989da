import { Fragment } from 'react';
import { codeParts } from '../../text/code-parts.ts';

/** A message of the API, with its inline code set as code. React escapes both. */
export const Message = ({ text }: { text: string }) =>
  codeParts(text).map((part, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: prose and code alternate
    <Fragment key={place}>{place % 2 === 1 ? <code>{part}</code> : part}</Fragment>
  ));

/** Returns a message as the `error` of an input, or undefined if there is none. */
export const toInputError = (message: string | null | undefined) => message && <Message text={message} />;
