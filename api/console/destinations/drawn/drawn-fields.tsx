import { NativeSelect, UnstyledButton } from '@mantine/core';
import { useRef } from 'react';
import type { ErrorDetail } from '../../http/request-failure.ts';
import type { PresetName } from '../../http/types.ts';
import { placesOf } from '../../mapping/model/errors-by-field.ts';
import type { FieldNode } from '../../mapping/model/field-tree.ts';
import { lazyPart } from '../../parts/feedback/lazy-part.tsx';
import styles from './drawn.module.css';
import type { DrawnForm } from './drawn-form.ts';
import { useMessageNodes } from './message-nodes.ts';

/** Loaded separately, like those of mappings. */
const TemplateEditor = lazyPart(() => import('../../mapping/template-editor/template-editor.tsx'));
const ExpressionEditor = lazyPart(() => import('../../mapping/expression-editor/expression-editor.tsx'));

interface DrawnFieldsProps {
  preset: PresetName | string;
  form: DrawnForm;
  change: (some: Partial<DrawnForm>) => void;
  /** Of the filter and of the body. */
  errors: readonly ErrorDetail[];
}

type Source = 'filter' | 'template' | 'expression';

/** The inputs for the filter of a destination, and for its body if the preset allows one. */
export function DrawnFields({ preset, form, change, errors }: DrawnFieldsProps) {
  const nodes = useMessageNodes();
  /** Where the cursor was last. */
  const cursor = useRef<{ source: Source; position: number } | null>(null);
  const note = (source: Source) => (position: number | null) => {
    if (position !== null) cursor.current = { source, position };
  };
  const shown: readonly Source[] =
    form.kind === 'preset' || !hasBody(preset) ? ['filter'] : ['filter', form.kind];
  const insert = (path: string) => {
    const known = cursor.current;
    const source = known && shown.includes(known.source) ? known.source : (shown.at(-1) ?? 'filter');
    const text = form[source];
    const at = Math.min(known?.source === source ? known.position : text.length, text.length);
    const added = source === 'template' ? `{{${path}}}` : path;
    cursor.current = { source, position: at + added.length };
    change({ [source]: text.slice(0, at) + added + text.slice(at) });
  };
  return (
    <>
      <div>
        <p className={styles.label}>Filter</p>
        <ExpressionEditor
          placeholder={<div className={styles.waiting}>{form.filter}</div>}
          label="Filter expression"
          value={form.filter}
          onChange={(filter) => change({ filter })}
          onCursor={note('filter')}
          readOnly={false}
          nodes={nodes}
          errors={placesOf(of(errors, 'filter'))}
        />
        <p className={styles.about}>
          A condition in CEL, such as <code>alert.environment == "production"</code>. What it is false for is
          not told. Empty: no filter
        </p>
        <Errors errors={of(errors, 'filter')} />
      </div>
      {hasBody(preset) && (
        <div>
          <NativeSelect
            label="Body"
            data={[
              { value: 'preset', label: 'Everything, as JSON of Muster' },
              { value: 'template', label: 'A template of your own' },
              { value: 'expression', label: 'An expression of your own' },
            ]}
            value={form.kind}
            onChange={({ currentTarget: { value } }) =>
              change({ kind: value === 'template' || value === 'expression' ? value : 'preset' })
            }
          />
          {form.kind !== 'preset' && (
            <BodySource form={form} change={change} errors={errors} nodes={nodes} note={note} />
          )}
        </div>
      )}
      <Palette nodes={nodes} insert={insert} isTag={shown.includes('template')} />
    </>
  );
}

/** Whether messages of a preset can have a body of one's own. */
export const hasBody = (preset: string): boolean => preset === 'webhook';

const of = (errors: readonly ErrorDetail[], name: string) => errors.filter(({ field }) => field === name);

interface BodySourceProps extends Omit<DrawnFieldsProps, 'preset'> {
  nodes: readonly FieldNode[];
  note: (source: Source) => (position: number | null) => void;
}

function BodySource({ form, change, errors, nodes, note }: BodySourceProps) {
  const { kind, contentType, template, expression } = form;
  const own = of(errors, 'body');
  return (
    <>
      <NativeSelect
        label="Content type"
        mt="xs"
        mb="xs"
        data={['application/json', 'text/plain']}
        value={contentType}
        onChange={({ currentTarget: { value } }) =>
          change({ contentType: value === 'text/plain' ? value : 'application/json' })
        }
      />
      {kind === 'template' ? (
        <TemplateEditor
          placeholder={<div className={styles.waiting}>{template}</div>}
          label="Body"
          value={template}
          onChange={(text) => change({ template: text })}
          onCursor={note('template')}
          multiline
          readOnly={false}
          nodes={nodes}
          missing={[]}
        />
      ) : (
        <ExpressionEditor
          placeholder={<div className={styles.waiting}>{expression}</div>}
          label="Body expression"
          value={expression}
          onChange={(text) => change({ expression: text })}
          onCursor={note('expression')}
          readOnly={false}
          nodes={nodes}
          errors={placesOf(own)}
        />
      )}
      <p className={styles.about}>
        {kind === 'expression' ? (
          <>
            An expression in CEL, such as <code>{'{"text": alert.title}'}</code>
          </>
        ) : contentType === 'application/json' ? (
          <>
            <code>{'{{alert.title}}'}</code> within quotes, <code>{'{{{alert.title}}}'}</code> for a whole
            value: a text with its quotes, a number, an object or null
          </>
        ) : (
          <>
            Text with tags such as <code>{'{{alert.title}}'}</code>
          </>
        )}
      </p>
      <Errors errors={own} />
    </>
  );
}

const Errors = ({ errors }: { errors: readonly ErrorDetail[] }) =>
  errors.map(({ message }) => (
    <p key={message} className={styles.error} role="status">
      {message}
    </p>
  ));

interface PaletteProps {
  nodes: readonly FieldNode[];
  insert: (path: string) => void;
  /** Whether what is dragged is a tag of a template. */
  isTag: boolean;
}

/** The fields that a filter and a body can read. A click inserts one where the cursor is; they can be dragged into an editor, too. */
const Palette = ({ nodes, insert, isTag }: PaletteProps) => (
  <details>
    <summary>Fields to insert</summary>
    <ul className={styles.palette}>
      {nodes.map(({ path, sample }) => (
        <li key={path}>
          <UnstyledButton
            className={styles.field}
            title={sample}
            draggable
            onDragStart={({ dataTransfer }) =>
              dataTransfer.setData('text/plain', isTag ? `{{${path}}}` : path)
            }
            onClick={() => insert(path)}
            aria-label={`Insert ${path}`}
          >
            {path}
          </UnstyledButton>
        </li>
      ))}
    </ul>
  </details>
);
