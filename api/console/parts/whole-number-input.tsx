import { NumberInput, type NumberInputProps } from '@mantine/core';

/** An input of a number without sign and decimals, within `min` and `max`. It cannot contain anything else. */
export const WholeNumberInput = (props: NumberInputProps) => (
  <NumberInput
    clampBehavior="strict"
    allowDecimal={false}
    allowNegative={false}
    thousandSeparator=","
    {...props}
  />
);
