import '@plat/sdk';

const { user, system } = process.cpuUsage();
console.log(user + system);
