import { hasDestinations } from '../../../db/outbox/outbox.js';
import { Client } from '../api/client.js';
import { makeWebhook, receiptOf, type TestWebhook } from '../api/webhooks.js';
import { type Stack, startStack } from '../servers/stack.js';
import { until } from '../until.js';
import { Receiver } from './receiver.js';

/** Waits until the worker of a stack, which looks once a second, knows that there is a destination. */
export const untilKnown = ({ database }: Pick<Stack, 'database'>): Promise<void> =>
  until('the worker knows of a destination', () => hasDestinations(database));

/** A stack, and a receiver to which its destinations may send. */
export class OutboxDesk {
  readonly stack: Stack;
  readonly client: Client;
  readonly receiver: Receiver;

  private constructor(stack: Stack, client: Client, receiver: Receiver) {
    this.stack = stack;
    this.client = client;
    this.receiver = receiver;
  }

  static async start(): Promise<OutboxDesk> {
    const receiver = await Receiver.start();
    const stack = await startStack({ env: { OUTBOUND_ALLOW: receiver.host } });
    return new OutboxDesk(stack, await Client.of(stack), receiver);
  }

  async stop(): Promise<void> {
    await this.stack.stop();
    await this.receiver.stop();
  }

  /** Creates an integration with a mapping. */
  async integration(mapping: object): Promise<TestWebhook> {
    const webhook = await makeWebhook(this.client, { name: 'Boiler', template: null, driftSeverity: null });
    await this.client.json('PUT', `/v2/webhooks/${webhook.id}/mapping`, mapping);
    return webhook;
  }

  /** Creates a destination at the receiver. */
  // biome-ignore lint/suspicious/noExplicitAny: a body as received; the tests check its properties.
  async create(more: object = {}): Promise<any> {
    const body = { name: 'Receiver', preset: 'webhook', url: `${this.receiver.url}/hook`, ...more };
    const made = await this.client.json('POST', '/v2/destinations', body);
    if (made.status !== 201) throw new Error(made.text);
    return made.body.data;
  }

  /** Waits until the worker knows of a first destination. */
  areKnown = (): Promise<void> => untilKnown(this.stack);

  /** Creates a destination of which workers know. */
  // biome-ignore lint/suspicious/noExplicitAny: as in create.
  async destination(more: object = {}): Promise<any> {
    const made = await this.create(more);
    await this.areKnown();
    return made;
  }

  async deleteDestinations(): Promise<void> {
    for (const { id } of (await this.client.get('/v2/destinations?pageSize=100')).body.data)
      await this.client.send('DELETE', `/v2/destinations/${id}`);
  }

  /** Sends an event, and waits until it is stored. */
  async send({ path }: TestWebhook, payload: object): Promise<void> {
    const sent = await this.client.json('POST', path, payload);
    await receiptOf(this.client, sent.body.eventId);
  }

  /** @param query such as `&state=waiting` */
  messagesOf = async (id: string, query = '') =>
    (await this.client.get(`/v2/destinations/${id}/messages?pageSize=200${query}`)).body.data;

  /** Waits until every transition has its messages, and no message waits. */
  async nothingWaits(): Promise<void> {
    const { database } = this.stack;
    await until('nothing waits', async () => {
      const rows = [
        ...(await database('outbox').select('id')),
        ...(await database('messages').where('state', 'waiting')),
      ];
      return rows.length === 0;
    });
  }
}
