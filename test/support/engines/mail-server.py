"""A mail server with STARTTLS and login. It prints its port, then each mail as a line of JSON, as Python's own library reads it."""

import asyncio
import json
import ssl
import sys
from email import message_from_bytes, policy

from aiosmtpd.smtp import SMTP, AuthResult


class Handler:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("nobody@"):
            return "550 5.1.1 no such user"
        if address.startswith("full@"):
            return "452 4.2.2 mailbox is full"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 ok"

    async def handle_DATA(self, server, session, envelope):
        mail = message_from_bytes(envelope.original_content, policy=policy.default)
        defects = [one for part in mail.walk() for one in part.defects]
        defects += [one for value in mail.values() for one in getattr(value, "defects", ())]
        print(
            json.dumps(
                {
                    "isSecure": session.ssl is not None,
                    "envelope": [envelope.mail_from, envelope.rcpt_tos],
                    "headers": {name.lower(): str(value) for name, value in mail.items()},
                    "text": mail.get_body(("plain",)).get_content(),
                    "html": mail.get_body(("html",)).get_content(),
                    "parts": [part.get_content_type() for part in mail.walk()],
                    "longestLine": max(map(len, envelope.original_content.split(b"\r\n"))),
                    "defects": [repr(one) for one in defects],
                }
            ),
            flush=True,
        )
        return "250 2.0.0 taken"


def login(server, session, envelope, mechanism, data):
    is_known = (data.login, data.password) == (b"muster@example.com", b"pass:word")
    return AuthResult(success=is_known, handled=False)


async def main(certificate, key):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    options = {"authenticator": login, "auth_required": True, "require_starttls": True, "tls_context": context}
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: SMTP(Handler(), **options), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main(*sys.argv[1:]))
