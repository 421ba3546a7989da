import { Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { WebhookTemplate } from '../../http/types.ts';
import { counted } from '../../text/quantities.ts';
import styles from './gallery.module.css';
import { SourceLogo } from './source-logo.tsx';
import { findTemplates } from './template-search.ts';

interface GalleryProps {
  templates: readonly WebhookTemplate[];
  chosen: WebhookTemplate | null;
  choose: (name: string | null) => void;
}

/** All templates as one group of radio buttons, so that the arrow keys move between them. */
export function TemplateGallery({ templates, chosen, choose }: GalleryProps) {
  const [search, setSearch] = useState('');
  const found = findTemplates(templates, search);
  const own = found.filter(({ origin }) => origin === 'saved');
  const others = found.filter(({ origin }) => origin === 'catalogue');
  const tile = ({ name, title }: WebhookTemplate) => (
    <Tile key={name} name={name} isChosen={chosen?.name === name} choose={() => choose(name)}>
      <SourceLogo name={name} title={title} />
      <span>{title}</span>
    </Tile>
  );
  return (
    <section className={styles.gallery} aria-label="Templates">
      <TextInput
        label="Source"
        placeholder={`Search ${templates.length} sources`}
        leftSection={<IconSearch size={16} />}
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        type="search"
      />
      <div className={styles.tiles} role="radiogroup" aria-label="Alert source">
        <Tile name="" isChosen={chosen === null} choose={() => choose(null)}>
          <span className={styles.blank} aria-hidden="true">
            +
          </span>
          <span>Start blank</span>
        </Tile>
        {own.length > 0 && <h2 className={styles.group}>Yours</h2>}
        {own.map(tile)}
        {own.length > 0 && others.length > 0 && <h2 className={styles.group}>Known sources</h2>}
        {others.map(tile)}
      </div>
      <Text size="sm" c="dimmed" role="status">
        {describeMatches(search, found.length)}
      </Text>
    </section>
  );
}

function describeMatches(search: string, count: number): string {
  if (search.trim() === '') return '';
  if (count > 0) return `${counted(count, 'source')} found`;
  return 'No source matches. Choose “Start blank”: any JSON can be mapped.';
}

interface TileProps {
  name: string;
  isChosen: boolean;
  choose: () => void;
  children: ReactNode;
}

const Tile = ({ name, isChosen, choose, children }: TileProps) => (
  <label className={styles.tile}>
    <input type="radio" name="template" value={name} checked={isChosen} onChange={choose} />
    {children}
  </label>
);
