import { TextInput, type TextInputProps } from '@mantine/core';

interface AddressFieldProps extends Omit<TextInputProps, 'onChange'> {
  isMail: boolean | undefined;
  onChange: (text: string) => void;
}

/** The input for where messages are sent: a URL, or addresses of recipients. */
export const AddressField = ({ isMail, onChange, ...props }: AddressFieldProps) => (
  <TextInput
    type={isMail ? 'text' : 'url'}
    inputMode={isMail ? 'email' : 'url'}
    placeholder={isMail ? 'ada@example.com, grace@example.com' : undefined}
    maxLength={isMail ? 6_000 : 2_000}
    autoComplete="off"
    spellCheck={false}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
    {...props}
  />
);

/** Returns the addresses in a text, which are separated by commas, semicolons or spaces. */
export const addressesIn = (text: string): string[] => text.split(/[\s,;]+/).filter((part) => part !== '');
