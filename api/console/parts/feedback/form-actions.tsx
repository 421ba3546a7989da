import { Button, Group } from '@mantine/core';

interface FormActionsProps {
  /** The text of the button that submits the form, a verb such as "Save". */
  submit: string;
  cancel: () => void;
  isBusy: boolean;
  /** Whether something that the form needs is missing. */
  isIncomplete?: boolean;
}

/** The buttons at the end of a form in a dialog. */
export const FormActions = ({ submit, cancel, isBusy, isIncomplete = false }: FormActionsProps) => (
  <Group justify="flex-end">
    <Button variant="default" onClick={cancel}>
      Cancel
    </Button>
    <Button type="submit" loading={isBusy} disabled={isIncomplete}>
      {submit}
    </Button>
  </Group>
);
