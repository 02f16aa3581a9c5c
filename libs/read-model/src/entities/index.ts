import {
  AkepEventEntity,
  AkepResumeEntity,
  AkepSecretEntity,
  AkepSubscriptionEntity,
  AkepWaitEntity,
} from './akep.entity.ts';
import { AgentEntity, AgentKeyEntity, WalkAppliedEntity, WalkEntity } from './agent.entity.ts';
import { AssignmentEntity, DeadlineEntity, ObligationEntity, OpportunityEntity } from './assignment.entity.ts';
import { GenerationEntity, ReservationEntity, SecretEntity } from './gateway.entity.ts';
import { MemoryEntity, MemoryVersionEntity } from './memory.entity.ts';
import { ContentEntity, PositionEntity, ReceiptEntity } from './position.entity.ts';
import { ContractEntity, EngagementEntity, TaskAudienceEntity, TaskEntity } from './task.entity.ts';
import { EntryEntity, MembershipEntity, ResponseEntity, ThreadEntity, ThreadGrantEntity } from './thread.entity.ts';

/** Tables that the projector folds the facts into: dropped and replayed by a rebuild. */
export const readEntities = [
  PositionEntity,
  ContentEntity,
  ReceiptEntity,
  AgentEntity,
  AgentKeyEntity,
  WalkEntity,
  WalkAppliedEntity,
  MemoryEntity,
  MemoryVersionEntity,
  ThreadEntity,
  ThreadGrantEntity,
  MembershipEntity,
  EntryEntity,
  ResponseEntity,
  AssignmentEntity,
  TaskEntity,
  TaskAudienceEntity,
  ContractEntity,
  EngagementEntity,
  ObligationEntity,
  OpportunityEntity,
  DeadlineEntity,
  AkepSubscriptionEntity,
  AkepSecretEntity,
  AkepEventEntity,
  AkepWaitEntity,
  AkepResumeEntity,
];

/** The gateways' own tables: a rebuild leaves them alone. */
export const gatewayEntities = [ReservationEntity, GenerationEntity, SecretEntity];
