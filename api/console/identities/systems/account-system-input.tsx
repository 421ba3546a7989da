import { TextInput, type TextInputProps } from '@mantine/core';
import { useId } from 'react';
import { labelOf, numberOf, useAccountSystems } from './use-account-systems.ts';

interface InputProps extends Omit<TextInputProps, 'value'> {
  value: string;
  /** @param integrationId the number, if a name was entered; or the text as it is */
  onValue: (integrationId: string) => void;
}

/** An input for the number of an account system, that also takes its name. The browser proposes those that have names. */
export function AccountSystemInput({ value, onValue, description, ...props }: InputProps) {
  const systems = useAccountSystems();
  const list = useId();
  const label = labelOf(systems, value);
  const name = label === value ? null : <bdi>{label}</bdi>;
  return (
    <>
      <TextInput
        {...props}
        description={name ?? description}
        list={list}
        value={value}
        onChange={({ currentTarget }) => onValue(numberOf(systems, currentTarget.value))}
      />
      <datalist id={list}>
        {systems.map(({ integrationId, name }) => (
          <option key={integrationId} value={integrationId}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  );
}
