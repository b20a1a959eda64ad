import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { getServers, setServers } from 'node:dns/promises';
import type { AddressInfo } from 'node:net';
import { lookupService } from '../../../src/sync/dav/srvLookup';

const [srv, txt] = [33, 16];

const bytesOf = (text: string): number[] => [text.length, ...new TextEncoder().encode(text)];
const twoBytes = (value: number): number[] => [value >> 8, value & 0xff];
const srvData = (priority: number, weight: number, port: number, target: string): number[] => [
  ...[priority, weight, port].flatMap(twoBytes),
  ...target.split('.').filter(Boolean).flatMap(bytesOf),
  0,
];
const txtData = (...pieces: string[]): number[] => pieces.flatMap(bytesOf);

/** A name server that knows these records of every name (RFC 1035 4.1); what it does not know does not exist. */
describe('the service that a domain announces', () => {
  let socket: Socket;
  let records: { readonly type: number; readonly data: readonly number[] }[];
  let names: string[];
  const usual = getServers();
  before(async () => {
    socket = createSocket('udp4', (question, { port, address }) => {
      let at = 12;
      const labels: string[] = [];
      for (; question[at]! > 0; at += question[at]! + 1)
        labels.push(question.subarray(at + 1, at + 1 + question[at]!).toString());
      names.push(labels.join('.'));
      const type = question.readUInt16BE(at + 1);
      const found = records.filter(record => record.type === type);
      const head = [...question.subarray(0, 2), ...(found.length > 0 ? [0x81, 0x80] : [0x81, 0x83]), 0, 1];
      // Each answer's name is a pointer to the question's; then type, class, a minute, length.
      const answers = found.flatMap(({ data }) => [0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length, ...data]);
      const counts = [0, found.length, 0, 0, 0, 0];
      socket.send(Uint8Array.from([...head, ...counts, ...question.subarray(12, at + 5), ...answers]), port, address);
    });
    await new Promise<void>(resolve => socket.bind(0, '127.0.0.1', resolve));
    setServers([`127.0.0.1:${(socket.address() as AddressInfo).port}`]);
  });
  after(() => {
    setServers(usual);
    socket.close();
  });
  beforeEach(() => {
    records = [];
    names = [];
  });

  it('is the one with the lowest priority, at its own path', async () => {
    records = [
      { type: srv, data: srvData(20, 0, 443, 'second.example.com') },
      { type: srv, data: srvData(10, 1, 8443, 'weak.example.com') },
      { type: srv, data: srvData(10, 9, 8443, 'dav.example.com') },
      { type: txt, data: txtData('v=1') },
      { type: txt, data: txtData('path=/ca', 'l/') },
    ];
    assert.equal(await lookupService('example.com'), 'https://dav.example.com:8443/cal/');
    assert.deepEqual([...new Set(names)], ['_caldavs._tcp.example.com']);
  });

  it('is at the root of its host if no path is given, or an invalid one', async () => {
    const data = srvData(0, 0, 443, 'dav.example.com');
    records = [{ type: srv, data }];
    assert.equal(await lookupService('example.com'), 'https://dav.example.com/');
    records = [
      { type: srv, data },
      { type: txt, data: txtData('path=elsewhere.example.net/') },
    ];
    assert.equal(await lookupService('example.com'), 'https://dav.example.com/');
  });

  it('does not exist if the domain announces nothing, or that it has none', async () => {
    assert.equal(await lookupService('example.com'), undefined);
    records = [{ type: srv, data: srvData(0, 0, 0, '') }];
    assert.equal(await lookupService('example.com'), undefined);
  });
});
