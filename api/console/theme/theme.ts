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

/** From the text color to the darkest background. */
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

/** Mantine's alert colors have too little contrast for titles. These map them to the semantic colors below. */
const ALERTS: Record<string, string> = { red: 'bad', yellow: 'warn', green: 'good' };

function alertColors(_theme: unknown, { color }: { color?: string }) {
  const meaning = ALERTS[color ?? ''];
  const [ground, text] = meaning
    ? [`var(--${meaning}-ground)`, `var(--${meaning})`]
    : ['var(--ground)', 'var(--mantine-color-text)'];
  return { root: { '--alert-bg': ground, '--alert-color': text } };
}

/** Milliseconds. Everything that moves is faster than 150 ms, and nothing moves if the system asks for less motion. */
const MOTION = { duration: 120 };

/** The color of destructive buttons. Mantine's own red would need black text. */
const DANGER = {
  background: 'var(--bad)',
  hover: 'color-mix(in srgb, var(--bad), var(--mantine-color-text) 15%)',
  color: 'var(--mantine-color-body)',
};

export const theme = createTheme({
  components: {
    Alert: { vars: alertColors },
    // On a phone, rows are drawn as cards. Browsers then no longer see a table without these roles.
    Popover: { defaultProps: { shadow: 'md', transitionProps: MOTION } },
    Menu: { defaultProps: { shadow: 'md', transitionProps: MOTION } },
    Combobox: { defaultProps: { shadow: 'md' } },
    // Otherwise it would be a second banner of the page.
    ModalHeader: { defaultProps: { role: 'none' } },
    Modal: {
      defaultProps: {
        transitionProps: MOTION,
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
  fontFamily: '"Inter Variable", system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
  headings: { fontWeight: '650', sizes: { h1: { fontSize: '1.5rem', lineHeight: '1.3' } } },
  respectReducedMotion: true,
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input);
    if (input.variant === 'filled' && input.color === 'red') return { ...colors, ...DANGER };
    const isPrimary = input.color === undefined || input.color === 'violet';
    // Mantine always chooses the text color for the light scheme's shade.
    if (input.variant !== 'filled' || !isPrimary) return colors;
    return { ...colors, color: 'var(--mantine-primary-color-contrast)' };
  },
});

/**
 * Colors by meaning. Each text color has a contrast of at least 4.5 to its background (WCAG 2, AA). Mantine's own dimmed
 * gray has less.
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
    '--info': '#1f5fae',
    '--info-ground': '#e6f0fb',
    '--accent': '#4f46e5',
    '--accent-ground': '#eef0ff',
  },
  dark: {
    // Mantine's own is darker than the button, and too close to its text.
    '--mantine-color-violet-filled-hover': '#a3a0ff',
    // Mantine's own is the background of a card.
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
    '--info': '#8fc1ff',
    '--info-ground': '#17304d',
    '--accent': '#a5a1ff',
    '--accent-ground': '#2a2a52',
  },
});
