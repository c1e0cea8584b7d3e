import { deleteBusyBlock, saveBusyBlock } from '../../commands/clinic/save-busy-block.ts';
import { requireFound } from '../../commands/require-found.ts';
import { findBusyBlock, listBusyBlocks } from '../../db/clinic/busy-blocks.ts';
import { answer, implement } from '../contract/implement.ts';
import { presentPage } from '../contract/presented.ts';
import { blockCursor, busyBlockContracts } from './contract.ts';
import { presentBusyBlock } from './present.ts';

export const busyBlockRoutes = implement(busyBlockContracts, () => ({
  putBusyBlock: async ({ path, body, caller: { tenantId }, context, write }) => {
    const wanted = { ...body, ...path, tenantId };
    const { block, isNew, collidesWith } = await write((em) => saveBusyBlock(em, wanted, context));
    return answer(isNew ? 201 : 200, { ...presentBusyBlock(block), collidesWith });
  },
  listBusyBlocks: async ({ query: { limit, cursor: after, ...filter }, caller: { tenantId }, read }) => {
    const blocks = await read((em) =>
      listBusyBlocks(em, { ...filter, tenantId }, { after, limit: limit + 1 }),
    );
    return answer(200, presentPage(blocks.map(presentBusyBlock), limit, blockCursor));
  },
  getBusyBlock: async ({ path, caller: { tenantId }, read }) => {
    const block = await read((em) => findBusyBlock(em, { tenantId, ...path }));
    return answer(200, presentBusyBlock(requireFound(block, 'busy block', path.externalId)));
  },
  deleteBusyBlock: async ({ path, caller: { tenantId }, context, write }) => {
    await write((em) => deleteBusyBlock(em, tenantId, path.externalId, context));
    return answer(204, undefined);
  },
}));
