import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
} from '@mantine/core';

const violet: MantineColorsTuple = [
  '#eef0ff',
  '#e0e1ff',
  '#c7c8fe',
  '#a9a9fc',
  '#8b87ff',
  '#6d66f5',
  '#4f46e5',
  '#4338ca',
  '#3730a3',
  '#312e81',
];

/** From text to the deepest ground. */
const dark: MantineColorsTuple = [
  '#e6e8f0',
  '#c4c8d6',
  '#9fa6ba',
  '#7d849a',
  '#363b4b',
  '#262a37',
  '#1c1f29',
  '#12151c',
  '#0d0f15',
  '#090b10',
];

/** Mantine's own colours of alerts are too light for their titles; these are the ones by meaning, see below. */
const ALERTS: Record<string, string> = { red: 'bad', yellow: 'warn', green: 'good' };

function alertColours(_theme: unknown, { color }: { color?: string }) {
  const meaning = ALERTS[color ?? ''];
  const [ground, text] = meaning
    ? [`var(--${meaning}-ground)`, `var(--${meaning})`]
    : ['var(--ground)', 'var(--mantine-color-text)'];
  return { root: { '--alert-bg': ground, '--alert-color': text } };
}

/** What cannot be undone; Mantine's own red wants a black text. */
const DANGER = {
  background: 'var(--bad)',
  hover: 'color-mix(in srgb, var(--bad), var(--mantine-color-text) 15%)',
  color: 'var(--mantine-color-body)',
};

export const theme = createTheme({
  components: {
    Alert: { vars: alertColours },
    Modal: {
      defaultProps: {
        closeButtonProps: { 'aria-label': 'Close' },
        styles: { title: { fontSize: '1.05rem', fontWeight: 650 } },
      },
    },
  },
  black: '#1b2132',
  primaryColor: 'violet',
  primaryShade: { light: 6, dark: 4 },
  colors: { violet, dark },
  autoContrast: true,
  luminanceThreshold: 0.25,
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
  headings: { fontWeight: '650', sizes: { h1: { fontSize: '1.5rem', lineHeight: '1.3' } } },
  respectReducedMotion: true,
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input);
    if (input.variant === 'filled' && input.color === 'red') return { ...colors, ...DANGER };
    const isPrimary = input.color === undefined || input.color === 'violet';
    // Mantine picks the text's colour for the light scheme's shade, whichever scheme is shown.
    if (input.variant !== 'filled' || !isPrimary) return colors;
    return { ...colors, color: 'var(--mantine-primary-color-contrast)' };
  },
});

/**
 * Colours by what they mean. Each pair of a text and its ground has a contrast of 4.5 or more (WCAG 2, AA); Mantine's
 * own dimmed grey has less.
 */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#586074',
    '--mantine-color-placeholder': '#6b7286',
    '--mantine-color-body': '#ffffff',
    '--mantine-color-error': '#b42318',
    '--ground': '#f6f8fb',
    '--line': '#e0e4ec',
    '--good': '#0b7a52',
    '--good-ground': '#e5f5ee',
    '--warn': '#8f5300',
    '--warn-ground': '#fff2dd',
    '--bad': '#b42318',
    '--bad-ground': '#fdeae8',
    '--accent': '#4f46e5',
    '--accent-ground': '#eef0ff',
  },
  dark: {
    // Mantine's own is the ground of a card.
    '--mantine-color-disabled': '#262a37',
    '--mantine-color-disabled-color': '#8f96ab',
    '--mantine-color-dimmed': '#a0a7bb',
    '--mantine-color-placeholder': '#8f96ab',
    '--mantine-color-body': '#1c1f29',
    '--mantine-color-error': '#ff9a8f',
    '--ground': '#12151c',
    '--line': '#323747',
    '--good': '#63d4a8',
    '--good-ground': '#16342b',
    '--warn': '#ffc266',
    '--warn-ground': '#3a2c14',
    '--bad': '#ff9a8f',
    '--bad-ground': '#41201d',
    '--accent': '#a5a1ff',
    '--accent-ground': '#2a2a52',
  },
});
