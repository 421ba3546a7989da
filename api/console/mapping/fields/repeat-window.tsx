import { toInputError } from '../../parts/values/message.tsx';
import { WholeNumberInput } from '../../parts/whole-number-input.tsx';
import { useEditorContext } from '../state/editor-context.tsx';
import styles from './fields.module.css';

const MAX_SECONDS = 86_400;

/** For how long identical events without a deduplication key are counted as one alert. */
export function RepeatWindow() {
  const { draft, dispatch, mayWrite, fieldErrors } = useEditorContext();
  const { repeatWindowSeconds } = draft;
  if (!mayWrite && repeatWindowSeconds === null) return null;
  const [error] = fieldErrors.get('repeatWindowSeconds') ?? [];
  return (
    <fieldset className={styles.row} aria-label="Identical events">
      <div className={styles.head}>
        <span className={styles.label}>Identical events</span>
      </div>
      <div className={styles.body}>
        <p className={styles.about}>
          Without a deduplication key: count events with exactly the same body as one alert. For senders that
          send an event again after a timeout. Empty: each is an alert of its own.
        </p>
        <WholeNumberInput
          aria-label="Count identical events within so many seconds"
          placeholder="Off"
          prefix="within "
          suffix=" seconds"
          min={1}
          max={MAX_SECONDS}
          value={repeatWindowSeconds ?? ''}
          readOnly={!mayWrite}
          error={toInputError(error?.message)}
          maw="16rem"
          onChange={(seconds) =>
            dispatch({ type: 'repeatWindow', seconds: typeof seconds === 'number' ? seconds : null })
          }
        />
      </div>
    </fieldset>
  );
}
