import { PRIORITIES } from '../severities.js';
import type { CatalogueSource } from '../source.js';

/** What only the event that creates an alert says: others have members with the same names, of the person who acts. */
const atCreation = (value: string): string => `webhook.action == "Create" ? ${value} : ""`;

export default {
  name: 'opsgenie-api',
  title: 'Opsgenie alerts (Alert API)',
  documentation: 'https://docs.opsgenie.com/docs/alert-api',
  options:
    'In a program that sends to Opsgenie, set the API URL to the webhook URL. If it has an option for the host only, use the token of the webhook URL as the API key',
  dropInPath: '',
  sample: {
    action: 'Create',
    alias: 'search-index-lag',
    message: 'Search index is behind',
    description: 'The index is 20 minutes behind the orders.',
    responders: [{ name: 'Search', type: 'team' }],
    visibleTo: [],
    actions: ['Rebuild'],
    tags: ['search', 'nightly'],
    details: { environment: 'production', lag: '20' },
    entity: 'search-index',
    source: 'indexer.example.com',
    priority: 'P2',
    user: 'indexer@example.com',
    note: 'Alert created',
  },
  otherSamples: [
    {
      action: 'Acknowledge',
      alias: 'search-index-lag',
      user: 'Kim Example',
      source: 'chat',
      note: 'Looking',
    },
    { action: 'AddNote', alias: 'search-index-lag', user: 'Kim Example', note: 'The queue is full' },
    { action: 'UpdatePriority', alias: 'search-index-lag', priority: 'P1' },
  ],
  recovery: {
    action: 'Close',
    message: null,
    description: null,
    priority: null,
    note: 'The index has caught up',
  },
  mapping: {
    // A repeated alert keeps its texts; what people change on purpose replaces them.
    texts: 'opening',
    fields: {
      title: { expression: 'first(webhook.message, webhook.action == "Create" ? webhook.description : "")' },
      severity: { template: '{{webhook.priority}}', values: PRIORITIES, default: 'warning' },
      description: {
        expression:
          'first(webhook.description, webhook.action == "Create" ? webhook.message : "", webhook.action in ["Close", "Delete"] ? webhook.note : "")',
      },
      source: { expression: atCreation('first(webhook.source, "")'), default: 'Opsgenie API' },
      service: { template: '{{webhook.entity}}' },
      environment: {
        template: '{{webhook.details.environment|webhook.details.env}}',
      },
      team: {
        template: '{{webhook.responders[0].name|webhook.responders[0].username|webhook.teams[0].name}}',
      },
      // An acknowledgement changes no status. For senders that acknowledge what is over, make it `resolved`.
      status: {
        template: '{{webhook.action}}',
        values: {
          Create: 'firing',
          Close: 'resolved',
          Delete: 'resolved',
          ...Object.fromEntries(
            [
              ...[
                'Acknowledge',
                'UnAcknowledge',
                'Snooze',
                'AssignOwnership',
                'Escalate',
                'AddResponder',
                'AddTeam',
              ],
              ...['AddNote', 'AddTags', 'RemoveTags', 'AddDetails', 'RemoveDetails', 'CustomAction'],
              ...['UpdatePriority', 'UpdateMessage', 'UpdateDescription'],
            ].map((action) => [action, 'update']),
          ),
        },
      },
      dedupKey: { template: '{{webhook.alias}}' },
    },
    custom: {
      alias: { template: '{{webhook.alias}}' },
      action: { template: '{{webhook.action}}' },
      user: { template: '{{webhook.user}}' },
      note: { template: '{{webhook.note}}' },
      priority: { template: '{{webhook.priority}}' },
      tags: { expression: atCreation('first(webhook.tags.map(tag, string(tag)).join(", "), "")') },
      entity: { template: '{{webhook.entity}}' },
      details: { expression: atCreation('first(string(webhook.details), "")') },
      owner: { template: '{{webhook.owner.username|webhook.owner.name|webhook.owner.id}}' },
      acknowledged: {
        expression: 'webhook.action == "Acknowledge" ? "yes" : webhook.action == "UnAcknowledge" ? "no" : ""',
      },
      snoozedUntil: { template: '{{webhook.endTime}}' },
    },
  },
  expected: [
    {
      title: 'Search index is behind',
      severity: 'error',
      description: 'The index is 20 minutes behind the orders.',
      source: 'indexer.example.com',
      service: 'search-index',
      environment: 'production',
      team: 'Search',
      status: 'firing',
      dedupKey: 'search-index-lag',
    },
  ],
} satisfies CatalogueSource;
