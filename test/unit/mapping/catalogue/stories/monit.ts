import type { Story } from '../story.js';

const event = (service: string, text: string, description: string, test?: string) => ({
  MONIT_HOST: 'db-9',
  MONIT_SERVICE: service,
  MONIT_EVENT: text,
  MONIT_DESCRIPTION: description,
  MONIT_DATE: 'Tue, 03 Feb 2026 10:14:00',
  ...(test === undefined ? {} : { test }),
});

const shown = (title: string, description: string, service: string, status: string, eventCount: number) => ({
  ...{ title, severity: 'error', description, source: 'Monit', service },
  ...{ environment: null, status, eventCount },
});

export default [
  {
    what: 'two tests of a service fail, and one of them succeeds again',
    shape: 'https://mmonit.com/monit/documentation/monit.html#EXEC',
    steps: [
      ['fired', event('system', 'Resource limit matched', 'loadavg (5min) of 9.1 matches', 'load')],
      ['another problem', event('system', 'Resource limit matched', 'mem usage of 97% matches', 'memory')],
      ['repeated', event('system', 'Resource limit matched', 'loadavg (5min) of 9.4 matches', 'load')],
      ['resolved', event('system', 'Resource limit succeeded', 'loadavg (5min) check succeeded', 'load')],
    ],
    alerts: [
      {
        ...shown('system (load) on db-9', 'loadavg (5min) of 9.4 matches', 'system', 'resolved', 3),
        resolution: 'loadavg (5min) check succeeded',
      },
      shown('system (memory) on db-9', 'mem usage of 97% matches', 'system', 'firing', 1),
    ],
  },
  {
    what: 'a process disappears and returns, with tests that have no name',
    shape: 'https://mmonit.com/wiki/Monit/ConfigurationExamples',
    steps: [
      ['fired', event('mysqld', 'Does not exist', 'process is not running')],
      ['resolved', event('mysqld', 'Exists', 'process is running with pid 411')],
      ['the file changed', event('my.cnf', 'Checksum changed', 'checksum changed')],
      ['the file did not change', event('my.cnf', 'Checksum not changed', 'checksum has not changed')],
    ],
    alerts: [
      {
        ...shown('mysqld on db-9', 'process is not running', 'mysqld', 'resolved', 2),
        resolution: 'process is running with pid 411',
      },
      {
        ...shown('my.cnf on db-9', 'checksum changed', 'my.cnf', 'resolved', 2),
        resolution: 'checksum has not changed',
      },
    ],
  },
] satisfies Story[];
