// The gateway has no option for its address and would listen on every one.
const { Server } = require('node:net');

const listen = Server.prototype.listen;
Server.prototype.listen = function (...args) {
  if (typeof args[0] === 'number') {
    args.splice(1, typeof args[1] === 'string' ? 1 : 0, '127.0.0.1');
  } else if (args[0] !== null && typeof args[0] === 'object' && 'port' in args[0]) {
    args[0] = { ...args[0], host: '127.0.0.1' };
  }
  return listen.apply(this, args);
};
