import { Message } from '../../parts/values/message.tsx';
import { useEditorContext } from '../state/editor-context.tsx';
import styles from './fields.module.css';

/** What the author of a valid mapping should know about one part of it, such as a key whose parts are optional. */
export function MappingWarnings({ place }: { place: string }) {
  const { preview } = useEditorContext();
  const warnings = preview.preview?.warnings.filter(({ field }) => field === place) ?? [];
  // The line of the result says this before there is a preview.
  const shown = warnings.filter(({ code }) => code !== 'status_without_dedup_key');
  return shown.map(({ message }) => (
    <p key={message} className={styles.warning}>
      <Message text={message} />
    </p>
  ));
}
