import { UnstyledButton } from '@mantine/core';
import styles from './fields.module.css';

interface SourceSwitchProps {
  /** What is a template or an expression. */
  label: string;
  isExpression: boolean;
  choose(isExpression: boolean): void;
}

/** Switches between a template and an expression. */
export const SourceSwitch = ({ label, isExpression, choose }: SourceSwitchProps) =>
  [false, true].map((option) => {
    const text = option ? 'Expression' : 'Template';
    const isChosen = option === isExpression;
    return (
      <UnstyledButton
        key={text}
        className={styles.option}
        data-set={isChosen}
        aria-pressed={isChosen}
        aria-label={`${text}, ${label}`}
        onClick={() => !isChosen && choose(option)}
      >
        {text}
      </UnstyledButton>
    );
  });
