// MiniZinc's compiler from the web worker of the npm package `minizinc`, run by Node: node node.cjs FOLDER < REQUESTS
// FOLDER holds minizinc-worker.js; each request is a line of JSON with `args`, `files`, `outputFiles`, and each message a
// line; the message `exit` ends those of a request and has its milliseconds. After a failure no more requests are taken.
const fs = require("node:fs");
const path = require("node:path");
const vm = require("node:vm");

const folder = process.argv[2];
const worker = path.join(folder, "minizinc-worker.js");
const requests = fs.readFileSync(0, "utf8").split("\n").filter(Boolean).map(JSON.parse);
let start = Date.now();
const listeners = [];
const write = (bytes) => {
  while (bytes.length) {
    try {
      bytes = bytes.subarray(fs.writeSync(1, bytes));
    } catch (error) {
      if (error.code !== "EAGAIN") throw error; // the pipe is full
    }
  }
};
const send = (data) => listeners.forEach((listener) => listener({ data }));

globalThis.self = globalThis;
globalThis.location = { href: `file://${folder}/`, pathname: `${folder}/` };
globalThis.require = require;
globalThis.__filename = worker;
globalThis.__dirname = folder;
globalThis.addEventListener = (kind, listener) => listeners.push(listener);
globalThis.postMessage = (message) => {
  if (message.type === "ready") return requests.length ? send(requests.shift()) : process.exit(0);
  const exit = message.type === "exit";
  if (exit) message.milliseconds = Date.now() - start;
  write(Buffer.from(JSON.stringify(message) + "\n"));
  if (exit && message.code !== 0) process.exit(0);
  if (exit) start = Date.now();
};
vm.runInThisContext(fs.readFileSync(worker, "utf8"));
send({ wasmURL: path.join(folder, "minizinc.wasm"), dataURL: path.join(folder, "minizinc.data") });
