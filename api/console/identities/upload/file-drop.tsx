import { dropTargetForExternal } from '@atlaskit/pragmatic-drag-and-drop/external/adapter';
import { containsFiles, getFiles } from '@atlaskit/pragmatic-drag-and-drop/external/file';
import { preventUnhandled } from '@atlaskit/pragmatic-drag-and-drop/prevent-unhandled';
import { Button, FileButton, Text } from '@mantine/core';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { announce } from '../../parts/feedback/announce.tsx';
import { byteSize } from '../../text/quantities.ts';
import styles from './upload.module.css';

interface FileDropProps {
  file: File | null;
  disabled: boolean;
  onFile: (file: File) => void;
}

/** Where a file is dropped, or chosen by a button. */
export function FileDrop({ file, disabled, onFile }: FileDropProps) {
  const area = useRef<HTMLDivElement>(null);
  const reset = useRef<() => void>(null);
  const take = (chosen: File | null) => {
    if (!chosen) return;
    onFile(chosen);
    // Or else choosing the same file again, corrected, would be no change.
    reset.current?.();
    announce(`Chosen: ${chosen.name}, ${byteSize(chosen.size)}`);
  };
  const isOver = useDrop(area, disabled ? null : take);
  return (
    <div ref={area} className={styles.drop} data-over={isOver}>
      {file ? (
        <Text>
          <span className={styles.file}>{file.name}</span> · {byteSize(file.size)}
        </Text>
      ) : (
        <Text>
          Drop a CSV here, plain or packed (<code>.gz</code>)
        </Text>
      )}
      <FileButton
        onChange={take}
        resetRef={reset}
        accept=".csv,.tsv,.txt,.gz,text/csv"
        disabled={disabled}
        inputProps={{ 'aria-label': 'CSV file' }}
      >
        {(props) => (
          <Button variant={file ? 'default' : 'filled'} {...props}>
            {file ? 'Choose another file' : 'Choose a file'}
          </Button>
        )}
      </FileButton>
      <Text size="sm" c="dimmed">
        With a first line that names the columns <b>email</b>, <b>integrationId</b> and <b>identity</b>.
      </Text>
    </div>
  );
}

/** Whether a file is held over the area. What is dropped beside it is kept from replacing the page. */
function useDrop(area: RefObject<HTMLElement | null>, take: ((file: File | null) => void) | null): boolean {
  const [isOver, setIsOver] = useState(false);
  const taking = useRef(take);
  taking.current = take;
  useEffect(() => {
    if (!area.current) return;
    preventUnhandled.start();
    const leave = dropTargetForExternal({
      element: area.current,
      canDrop: ({ source }) => taking.current !== null && containsFiles({ source }),
      onDragEnter: () => setIsOver(true),
      onDragLeave: () => setIsOver(false),
      onDrop: ({ source }) => {
        setIsOver(false);
        taking.current?.(getFiles({ source })[0] ?? null);
      },
    });
    return () => {
      preventUnhandled.stop();
      leave();
    };
  }, [area]);
  return isOver;
}
