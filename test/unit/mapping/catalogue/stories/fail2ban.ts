import type { Story } from '../story.js';

const ban = (action: string, ip: string, jail = 'sshd', failures = '5') => ({
  action,
  fq_hostname: 'gate',
  jail,
  ip,
  failures,
  matches: `Failed password for root from ${ip}`,
});

const shown = (ip: string, jail: string, status: string, eventCount: number) => ({
  title: `${ip} is banned from ${jail} on gate`,
  severity: 'warning',
  description: `5 failures: Failed password for root from ${ip}`,
  ...{ source: 'Fail2ban', service: jail, environment: null, status, eventCount },
});

export default [
  {
    what: 'two addresses are banned, one from two jails, and one ban ends',
    shape: 'fail2ban/fail2ban config/action.d/abuseipdb.conf',
    steps: [
      ['fired', ban('ban', '198.51.100.7')],
      ['another jail', ban('ban', '198.51.100.7', 'recidive')],
      ['another problem', ban('ban', '198.51.100.8')],
      ['resolved', ban('unban', '198.51.100.7')],
    ],
    alerts: [
      {
        ...shown('198.51.100.7', 'sshd', 'resolved', 2),
      },
      shown('198.51.100.7', 'recidive', 'firing', 1),
      shown('198.51.100.8', 'sshd', 'firing', 1),
    ],
  },
  {
    what: 'a restart ends a ban and bans again',
    shape: 'fail2ban/fail2ban config/action.d/mail.conf',
    steps: [
      ['fired', ban('ban', '2001:db8::7')],
      ['resolved', ban('unban', '2001:db8::7')],
      ['restored', ban('ban', '2001:db8::7')],
    ],
    alerts: [
      {
        ...shown('2001:db8::7', 'sshd', 'resolved', 2),
      },
      shown('2001:db8::7', 'sshd', 'firing', 1),
    ],
  },
] satisfies Story[];
