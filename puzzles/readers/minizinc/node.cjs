// MiniZinc's compiler from the web worker of the npm package `minizinc`, run by Node: node node.cjs FOLDER < REQUEST
// FOLDER holds minizinc-worker.js; the request is JSON with `args`, `files`, `outputFiles`; each message is a line.
const fs = require("node:fs");
const path = require("node:path");
const vm = require("node:vm");

const folder = process.argv[2];
const worker = path.join(folder, "minizinc-worker.js");
const request = JSON.parse(fs.readFileSync(0, "utf8"));
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
  if (message.type === "ready") return send(request);
  write(Buffer.from(JSON.stringify(message) + "\n"));
  if (message.type === "exit") process.exit(0);
};
vm.runInThisContext(fs.readFileSync(worker, "utf8"));
send({ wasmURL: path.join(folder, "minizinc.wasm"), dataURL: path.join(folder, "minizinc.data") });
