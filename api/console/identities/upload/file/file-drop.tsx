import { dropTargetForExternal } from '@atlaskit/pragmatic-drag-and-drop/external/adapter';
import { containsFiles, getFiles } from '@atlaskit/pragmatic-drag-and-drop/external/file';
import { preventUnhandled } from '@atlaskit/pragmatic-drag-and-drop/prevent-unhandled';
import { Button, FileButton, Text } from '@mantine/core';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { announce } from '../../../parts/feedback/announce.tsx';
import { byteSize } from '../../../text/quantities.ts';
import styles from '../upload.module.css';

interface FileDropProps {
  file: File | null;
  disabled: boolean;
  onFile: (file: File) => void;
  /** Which columns the file must have. */
  children?: ReactNode;
}

/** An area to drop a file on, with a button that opens the file picker. */
export function FileDrop({ file, disabled, onFile, children }: FileDropProps) {
  const area = useRef<HTMLDivElement>(null);
  const reset = useRef<() => void>(null);
  const take = (chosen: File | null) => {
    if (!chosen) return;
    onFile(chosen);
    // Without the reset, choosing the same file again after fixing it would fire no change event.
    reset.current?.();
    announce(`Selected ${chosen.name}, ${byteSize(chosen.size)}`);
  };
  const isOver = useDrop(area, disabled ? null : take);
  return (
    <div ref={area} className={styles.drop} data-over={isOver} data-chosen={file !== null}>
      {file ? (
        <Text>
          <span className={styles.file}>{file.name}</span> · {byteSize(file.size)}
        </Text>
      ) : (
        <Text>
          Drop a CSV file here, plain or gzip-compressed (<code>.gz</code>), or an Excel workbook (
          <code>.xlsx</code>)
        </Text>
      )}
      <FileButton
        onChange={take}
        resetRef={reset}
        accept=".csv,.tsv,.txt,.gz,.xlsx,.xlsm,text/csv"
        disabled={disabled}
        inputProps={{ 'aria-label': 'CSV file' }}
      >
        {(props) => (
          <Button variant={file ? 'default' : 'filled'} {...props}>
            {file ? 'Choose another file' : 'Choose file'}
          </Button>
        )}
      </FileButton>
      {children && (
        <Text size="sm" c="dimmed">
          {children}
        </Text>
      )}
    </div>
  );
}

/** Returns whether a file is dragged over the area. A drop outside the area does not navigate away from the page. */
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
