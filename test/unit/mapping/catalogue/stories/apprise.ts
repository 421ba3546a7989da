import type { Story } from '../story.js';

const notification = (title: string, message: string, type: string, more: object = {}) => ({
  version: '1.0',
  title,
  message,
  attachments: [],
  type,
  ...more,
});

const shown = (
  title: string,
  severity: string,
  description: string,
  status: string | null,
  eventCount: number,
) => ({
  ...{ title, severity, description, source: 'Apprise', service: null, environment: null },
  ...{ status, eventCount },
});

export default [
  {
    what: 'notifications without a key are alerts of their own',
    shape: 'https://github.com/caronc/apprise/wiki/Notify_Custom_JSON',
    steps: [
      ['fired', notification('Backup failed', 'No space left', 'failure')],
      ['without a title', notification('', 'The disk is full', 'warning')],
      ['the end of something', notification('Backup succeeded', 'It took 3 minutes', 'success')],
    ],
    alerts: [
      shown('Backup failed', 'error', 'No space left', null, 1),
      shown('The disk is full', 'warning', 'The disk is full', null, 1),
      shown('Backup succeeded', 'info', 'It took 3 minutes', null, 1),
    ],
  },
  {
    what: 'a URL adds a key, and a success ends the problem',
    shape: 'caronc/apprise test/test_plugin_custom_json.py',
    steps: [
      ['fired', notification('Backup failed', 'No space left', 'failure', { key: 'backup' })],
      ['another problem', notification('Mirror failed', 'No route', 'failure', { key: 'mirror' })],
      ['repeated', notification('Backup failed', 'No space left', 'failure', { key: 'backup' })],
      ['news', notification('Backup', 'Another attempt starts', 'info', { key: 'backup' })],
      ['resolved', notification('Backup succeeded', 'It took 3 minutes', 'success', { key: 'backup' })],
    ],
    alerts: [
      { ...shown('Backup failed', 'error', 'No space left', 'resolved', 4), resolution: 'It took 3 minutes' },
      shown('Mirror failed', 'error', 'No route', 'firing', 1),
    ],
  },
] satisfies Story[];
