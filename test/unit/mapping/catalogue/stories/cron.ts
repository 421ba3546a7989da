import type { Story } from '../story.js';

const run = (command: string, exit: string, started: string, output: string, user = 'root') => ({
  ...{ host: 'job-1', user, command, exit, started, output },
});

const shown = (command: string, description: string, status: string, eventCount: number) => ({
  title: `Cron job fails on job-1: ${command}`,
  ...{ severity: 'error', description, source: 'cron', service: 'job-1' },
  ...{ environment: null, status, eventCount },
});

export default [
  {
    what: 'a job fails twice and succeeds, and a run that started earlier fails afterwards',
    shape: 'https://manpages.debian.org/stable/cron/cron.8.en.html',
    steps: [
      ['a healthy run', run('mirror', '0', '1770100000', '')],
      ['fired', run('mirror', '3', '1770103600', 'no route')],
      ['another problem', run('prune', '1', '1770103600', 'locked')],
      ['repeated', run('mirror', '4', '1770107200', 'no reply')],
      ['resolved', run('mirror', '0', '1770110800', '')],
      ['late', run('mirror', '3', '1770107200', 'no reply')],
    ],
    alerts: [shown('mirror', 'no reply', 'resolved', 3), shown('prune', 'locked', 'firing', 1)],
  },
  {
    what: 'the same command of two users, one of which prints nothing',
    shape: 'https://manpages.debian.org/stable/cron/crontab.5.en.html',
    steps: [
      ['fired', run('/bin/false', '1', '1770103600', '', 'ann')],
      ['another user', run('/bin/false', '1', '1770103600', 'x', 'bob')],
    ],
    alerts: [shown('/bin/false', 'exit code 1', 'firing', 1), shown('/bin/false', 'x', 'firing', 1)],
  },
] satisfies Story[];
