#!/usr/bin/env bash
# Nodemailer 10.6.0: a transform of a message ends although nothing of the message is sent.
#
# Expected: a transform that a plugin adds to a message (`mail.message.transform`) sees the bytes as they are sent, so that its end
# tells that the whole message was handed over.
# Seen: the stages of the message's stream fill their buffers at once. A small message has passed the transform while the server still
# thinks about the sender, also where it refuses them and gets no message. The end of the stream that the message itself returns
# (`createReadStream`) comes only when the message is sent.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts nodemailer@10.6.0 smtp-server@3.21.6
cat >look.mjs <<'JS'
import { Transform } from 'node:stream'
import { readFileSync } from 'node:fs'
import nodemailer from 'nodemailer'
import { SMTPServer } from 'smtp-server'
const { version } = JSON.parse(readFileSync('node_modules/nodemailer/package.json', 'utf8'))

async function look(isTaken) {
  const seen = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom: (_address, _session, done) => setTimeout(() => done(isTaken ? undefined : new Error('not from you')), 100),
    onData: (stream, _session, done) => stream.resume().on('end', () => (seen.push('taken'), done())),
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const transport = nodemailer.createTransport({ host: '127.0.0.1', port: server.server.address().port })
  transport.use('stream', (mail, done) => {
    const pass = { transform: (piece, _encoding, next) => next(null, piece) }
    mail.message.transform(() => new Transform({ ...pass, flush: (next) => (seen.push('transform ended'), next()) }))
    const create = mail.message.createReadStream.bind(mail.message)
    mail.message.createReadStream = (options) => create(options).once('end', () => seen.push('stream ended'))
    done()
  })
  await transport
    .sendMail({ from: 'a@service.test', to: 'b@guest.test', subject: 'Hello', text: 'A line' })
    .catch((error) => seen.push(error.code))
  transport.close()
  server.close()
  return seen.join(', ')
}

const [taken, refused] = [await look(true), await look(false)]
console.log(`nodemailer ${version}\na sender who is taken: ${taken}\na sender who is refused: ${refused}`)
const isAsSeen = taken === 'transform ended, stream ended, taken' && refused === 'transform ended, EENVELOPE'
console.log(isAsSeen ? 'As seen.' : 'This has changed.')
process.exitCode = isAsSeen ? 0 : 1
JS
node look.mjs
