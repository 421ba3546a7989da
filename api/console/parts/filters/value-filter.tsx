import { OnDemand } from '../feedback/boundary.tsx';
import { lazyPart } from '../feedback/lazy-part.tsx';
import { usePopup } from '../popups/use-popup.ts';
import { FilterPill } from './filter-pill.tsx';
import type { ValueChoiceProps } from './value-choice.tsx';

const ValueChoice = lazyPart(() => import('./value-choice.tsx'));

interface ValueFilterProps extends Omit<ValueChoiceProps, 'popup'> {
  onOpen?: () => void;
}

/** A filter that shows the rows with any of several values. */
export function ValueFilter({ onOpen, ...props }: ValueFilterProps) {
  const { label, values, change, options } = props;
  const { popup, buttonProps } = usePopup('listbox', ValueChoice.load, onOpen);
  const labelOf = (value: string) => options.find((option) => option.value === value)?.label ?? value;
  return (
    <>
      <FilterPill
        {...buttonProps}
        label={label}
        value={values.map(labelOf).join(', ')}
        clear={() => change([])}
      />
      <OnDemand>{popup && <ValueChoice {...props} popup={popup} />}</OnDemand>
    </>
  );
}
