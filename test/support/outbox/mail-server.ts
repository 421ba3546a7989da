import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import PostalMime, { type Email } from 'postal-mime';

/** A mail that a server took. */
export interface TakenMail {
  from: string;
  to: string[];
  raw: string;
}

/** Returns the reply to a command, or to the dot after a mail; null: the connection is closed; undefined: the usual reply. */
export type Reply = (command: string) => string | null | undefined;

const usual: Reply = () => undefined;

/** A mail server on this machine, without TLS or login, whose replies a test decides. A real one is in `test/engines/mail.test.ts`. */
export class MailServer {
  readonly taken: TakenMail[] = [];
  /** The texts of all mails, also of those that it did not take. */
  readonly offered: string[] = [];
  reply: Reply = usual;
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((socket) => {
    this.#sockets.add(socket);
    socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket));
    void this.#talk(socket);
  });

  static async start(): Promise<MailServer> {
    const server = new MailServer();
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  clear(): void {
    this.taken.length = 0;
    this.offered.length = 0;
    this.reply = usual;
  }

  /** Returns the mails that were taken, parsed. */
  mails(): Promise<Email[]> {
    return Promise.all(this.taken.map(({ raw }) => PostalMime.parse(raw)));
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #talk(socket: Socket): Promise<void> {
    const say = (command: string, byDefault: string): boolean => {
      const reply = this.reply(command);
      if (reply === null) socket.destroy();
      else socket.write(`${reply ?? byDefault}\r\n`);
      return (reply ?? byDefault).startsWith('2');
    };
    let mail: TakenMail = { from: '', to: [], raw: '' };
    let isData = false;
    say('greeting', '220 mail.example.com ESMTP');
    for await (const line of createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (isData && line !== '.') {
        mail.raw += `${line.replace(/^\./, '')}\r\n`;
        continue;
      }
      const command: string = isData ? '.' : line;
      const [, address = ''] = /<(.*)>/.exec(command) ?? [];
      if (command === '.') {
        isData = false;
        this.offered.push(mail.raw);
        if (say(command, '250 queued as 1')) this.taken.push(mail);
      } else if (command.startsWith('MAIL')) {
        mail = { from: address, to: [], raw: '' };
        say(command, '250 sender ok');
      } else if (command.startsWith('RCPT')) {
        if (say(command, '250 recipient ok')) mail.to.push(address);
      } else if (command === 'DATA') {
        const reply: string = this.reply(command) ?? '354 go on';
        isData = reply.startsWith('3');
        socket.write(`${reply}\r\n`);
      } else if (command === 'QUIT') {
        say(command, '221 bye');
        socket.end();
      } else say(command, '250 mail.example.com');
    }
  }
}
