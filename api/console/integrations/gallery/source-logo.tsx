import type { CSSProperties } from 'react';
import checkmk from 'simple-icons/icons/checkmk.svg';
import cloudflare from 'simple-icons/icons/cloudflare.svg';
import dash0 from 'simple-icons/icons/dash0.svg';
import datadog from 'simple-icons/icons/datadog.svg';
import dynatrace from 'simple-icons/icons/dynatrace.svg';
import elastic from 'simple-icons/icons/elastic.svg';
import github from 'simple-icons/icons/github.svg';
import gitlab from 'simple-icons/icons/gitlab.svg';
import googleCloud from 'simple-icons/icons/googlecloud.svg';
import grafana from 'simple-icons/icons/grafana.svg';
import graylog from 'simple-icons/icons/graylog.svg';
import honeybadger from 'simple-icons/icons/honeybadger.svg';
import jira from 'simple-icons/icons/jira.svg';
import newRelic from 'simple-icons/icons/newrelic.svg';
import opsgenie from 'simple-icons/icons/opsgenie.svg';
import pagerDuty from 'simple-icons/icons/pagerduty.svg';
import pingdom from 'simple-icons/icons/pingdom.svg';
import prometheus from 'simple-icons/icons/prometheus.svg';
import sentry from 'simple-icons/icons/sentry.svg';
import splunk from 'simple-icons/icons/splunk.svg';
import uptimeKuma from 'simple-icons/icons/uptimekuma.svg';
import zendesk from 'simple-icons/icons/zendesk.svg';
import { hueOf, initialsOf } from './initials.ts';
import styles from './source-logo.module.css';

interface SourceLogoProps {
  /** The name of the template, or another name for the color of the initials. */
  name: string;
  title: string;
}

/** The logo of a source, or its initials. It is hidden from screen readers because the title next to it says the same. */
export function SourceLogo({ name, title }: SourceLogoProps) {
  const logo = logoOf(name);
  if (logo === null) {
    return (
      <span className={styles.initials} style={{ '--hue': hueOf(name) } as CSSProperties} aria-hidden="true">
        {initialsOf(title)}
      </span>
    );
  }
  return (
    <span className={styles.logo} aria-hidden="true">
      <img src={logo} alt="" width={16} height={16} loading="lazy" />
    </span>
  );
}

/** Addresses of logos, by the first part of a template's name. The browser loads those in view only. */
const LOGOS: readonly [start: string, address: string][] = [
  ['alertmanager', prometheus],
  ['checkmk', checkmk],
  ['cloudflare', cloudflare],
  ['dash0', dash0],
  ['datadog', datadog],
  ['dynatrace', dynatrace],
  ['github', github],
  ['gitlab', gitlab],
  ['google-cloud', googleCloud],
  ['grafana', grafana],
  ['graylog', graylog],
  ['honeybadger', honeybadger],
  ['jira', jira],
  ['kibana', elastic],
  ['newrelic', newRelic],
  ['opsgenie', opsgenie],
  ['pagerduty', pagerDuty],
  ['pingdom', pingdom],
  ['sentry', sentry],
  ['signalfx', splunk],
  ['splunk', splunk],
  ['uptime-kuma', uptimeKuma],
  ['zendesk', zendesk],
];

/** Returns the address of the logo of a template's source, and null if there is none. */
const logoOf = (template: string): string | null =>
  LOGOS.find(([start]) => template === start || template.startsWith(`${start}-`))?.[1] ?? null;
