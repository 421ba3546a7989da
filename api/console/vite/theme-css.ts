import {
  convertCssVariables,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  mergeMantineTheme,
} from '@mantine/core';
import type { Plugin } from 'vite';
import { cssVariables, theme } from '../theme/theme.ts';

const NAME = 'virtual:theme.css';
const ID = `\0${NAME}`;

/**
 * Provides the theme's variables as a style sheet. Mantine would add them to the page by script, which the content
 * security policy (`style-src 'self'`) blocks.
 */
export function themeCss(): Plugin {
  return {
    name: 'theme-css',
    resolveId: (id) => (id === NAME ? ID : null),
    load: (id) => (id === ID ? css() : null),
  };
}

function css(): string {
  const whole = mergeMantineTheme(DEFAULT_THEME, theme);
  const basic = defaultCssVariablesResolver(whole);
  const own = cssVariables(whole);
  const merged = {
    variables: { ...basic.variables, ...own.variables },
    light: { ...basic.light, ...own.light },
    dark: { ...basic.dark, ...own.dark },
  };
  return convertCssVariables(merged, ':root');
}
