import { Textarea, TextInput, type TextInputProps } from '@mantine/core';

interface NameFieldsProps {
  name: string;
  onName(name: string): void;
  description: string;
  onDescription(description: string): void;
  /** Further properties of the name's input. */
  nameInput?: Pick<TextInputProps, 'description' | 'placeholder'>;
}

/** The inputs for an integration's name and description, with the API's limits. */
export const NameFields = ({ name, onName, description, onDescription, nameInput }: NameFieldsProps) => (
  <>
    <TextInput
      label="Name"
      {...nameInput}
      required
      maxLength={100}
      value={name}
      onChange={({ currentTarget }) => onName(currentTarget.value)}
    />
    <Textarea
      label="Description"
      autosize
      minRows={2}
      maxLength={1_000}
      value={description}
      onChange={({ currentTarget }) => onDescription(currentTarget.value)}
    />
  </>
);
