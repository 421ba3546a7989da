import { Combobox, useCombobox } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { wholeNumber } from '../../text/quantities.ts';
import { PopupButton, useIsOpen } from '../popups/popup-button.tsx';
import { contentId, type Popup } from '../popups/use-popup.ts';
import styles from './filter-bar.module.css';
import { type FilterOption, matching } from './filter-options.ts';

export interface ValueChoiceProps {
  popup: Popup;
  label: string;
  values: readonly string[];
  change: (values: string[]) => void;
  /** The values to choose from. */
  options: readonly FilterOption[];
  /** Says how complete the options are, below them. */
  note?: string | undefined;
  /** Whether a value that is not among the options can be typed. */
  isFree?: boolean;
  /** Which typed values can be used. Default: all. */
  isValid?: (text: string) => boolean;
  /** Whether only one value can be set. */
  isSingle?: boolean;
}

/** The values of a filter. They can be searched by typing, in any case. */
export default function ValueChoice(props: ValueChoiceProps) {
  const { popup, label, values, change, options, isFree = false, isSingle = false, isValid } = props;
  const [search, setSearch] = useState('');
  const isOpen = useIsOpen(popup);
  const combobox = useCombobox({
    opened: isOpen,
    onOpenedChange: popup.setOpen,
    onDropdownClose: () => combobox.focusTarget(),
  });
  const { focusSearchInput, resetSelectedOption } = combobox;
  useEffect(() => {
    if (isOpen) return focusSearchInput();
    setSearch('');
    resetSelectedOption();
  }, [isOpen, focusSearchInput, resetSelectedOption]);
  const toggle = (value: string) => {
    const isSet = values.includes(value);
    const others = isSingle ? [] : values.filter((one) => one !== value);
    change(isSet ? others : [...others, value]);
    setSearch('');
    if (isSingle) combobox.closeDropdown();
  };
  const mayType = isFree && (isValid?.(search.trim()) ?? true);
  const { shown, typed } = matching(options, values, search, mayType);
  return (
    <Combobox store={combobox} onOptionSubmit={toggle} width={280} position="bottom-start">
      <Combobox.Target targetType="button">
        <PopupButton popup={popup} />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          role="combobox"
          aria-expanded
          aria-controls={contentId(popup.id)}
          aria-label={`Find ${label}`}
          placeholder={isFree ? 'Find or type a value' : 'Find'}
          value={search}
          maxLength={255}
          onChange={({ currentTarget }) => {
            setSearch(currentTarget.value);
            combobox.updateSelectedOptionIndex();
          }}
        />
        <Combobox.Options
          id={contentId(popup.id)}
          aria-label={label}
          aria-multiselectable={!isSingle}
          className={styles.options}
        >
          {shown.map((option) => (
            <Option key={option.value} option={option} isSet={values.includes(option.value)} />
          ))}
          {typed !== null && (
            <Combobox.Option value={typed} aria-selected={false}>
              Use “<bdi>{typed}</bdi>”
            </Combobox.Option>
          )}
        </Combobox.Options>
        {shown.length === 0 && typed === null && (
          <Combobox.Empty>{isFree ? emptyText(search) : 'No such value'}</Combobox.Empty>
        )}
        {props.note && <Combobox.Footer className={styles.note}>{props.note}</Combobox.Footer>}
      </Combobox.Dropdown>
    </Combobox>
  );
}

const emptyText = (search: string) => (search.trim() === '' ? 'Type a value' : 'Not a valid value');

const Option = ({ option: { value, label, count }, isSet }: { option: FilterOption; isSet: boolean }) => (
  <Combobox.Option value={value} active={isSet} aria-selected={isSet}>
    <span className={styles.option}>
      <IconCheck size={14} className={styles.check} data-set={isSet || undefined} />
      <bdi className={styles.optionText}>{label ?? value}</bdi>
      {count !== undefined && <span className={styles.count}>{wholeNumber(count)}</span>}
    </span>
  </Combobox.Option>
);
