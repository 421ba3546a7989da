import { Menu } from '@mantine/core';
import { PopupMenu } from '../../parts/popups/popup-menu.tsx';
import type { Popup } from '../../parts/popups/use-popup.ts';
import styles from './list.module.css';

interface DownloadMenuProps {
  popup: Popup;
  download: (escapeFormulas: boolean) => void;
}

/** The forms in which alerts can be downloaded. */
export default function DownloadMenu({ popup, download }: DownloadMenuProps) {
  return (
    <PopupMenu popup={popup} position="bottom-end" width="17rem">
      <Menu.Item onClick={() => download(false)}>
        Original values
        <div className={styles.hint}>For programs: every value exactly as in the alert.</div>
      </Menu.Item>
      <Menu.Item onClick={() => download(true)}>
        For spreadsheets
        <div className={styles.hint}>Adds ' before cells that a spreadsheet would treat as a formula.</div>
      </Menu.Item>
    </PopupMenu>
  );
}
