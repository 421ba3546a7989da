import { ActionIcon, Anchor, Button, Group, Popover, Text, TextInput } from '@mantine/core';
import { IconBookmark, IconX } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { announce } from '../feedback/announce.tsx';
import styles from './filter-bar.module.css';
import { deleteView, MAX_NAME, savedViews, saveView } from './saved-views.ts';

/** The views that this browser has saved for a list, and a form that saves the present one. */
export function SavedViewsMenu({ list }: { list: string }) {
  const [isOpen, setOpen] = useState(false);
  const [views, setViews] = useState(() => savedViews(list));
  const query = useSearch();
  const [path] = useLocation();
  const change = (apply: () => void) => {
    apply();
    setViews(savedViews(list));
  };
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={280} trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconBookmark size={16} />}
          onClick={() => setOpen(!isOpen)}
          aria-haspopup="dialog"
        >
          Views
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Saved views">
        {views.length === 0 && (
          <Text size="sm" c="dimmed" mb="sm">
            Save filters under a name. They are kept in this browser.
          </Text>
        )}
        <ul className={styles.views}>
          {views.map((view) => (
            <li key={view.name}>
              <Anchor
                component={Link}
                href={`${path}?${view.query}`}
                size="sm"
                aria-current={view.query === query || undefined}
                onClick={() => setOpen(false)}
              >
                {view.name}
              </Anchor>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Delete view ${view.name}`}
                onClick={() => change(() => deleteView(list, view.name))}
              >
                <IconX size={14} />
              </ActionIcon>
            </li>
          ))}
        </ul>
        <NewView
          save={(name) => {
            change(() => saveView(list, { name, query }));
            announce(`View ${name} saved`);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function NewView({ save }: { save: (name: string) => void }) {
  const [name, setName] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') return;
    save(name.trim());
    setName('');
  };
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="end" wrap="nowrap">
        <TextInput
          label="Name of this view"
          size="xs"
          flex={1}
          maxLength={MAX_NAME}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Button type="submit" size="xs" disabled={name.trim() === ''}>
          Save view
        </Button>
      </Group>
    </form>
  );
}
