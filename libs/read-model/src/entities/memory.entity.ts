import { Column, Entity, Index } from 'typeorm';
import { int, nullable, primary, text, time } from './columns.ts';

/**
 * A row that a thread and a memory partition may both write: each owns its columns (engine.md §5, §8). `memory_own` is over
 * expressions, which an entity cannot state.
 */
@Entity({ schema: 'read', name: 'memory' })
@Index('memory_own', { synchronize: false })
@Index('memory_public', ['id'], { where: `visibility = 'public' and status = 'valid'` })
export class MemoryEntity {
  @Column(text('id', primary)) id!: string;
  @Column(text('author')) author!: string;
  @Column(time('created_at', nullable)) createdAt!: Date | null;
  @Column(text('born_thread', nullable)) bornThread!: string | null;
  @Column(int('born_entry', nullable)) bornEntry!: number | null;
  @Column(text('status', nullable)) status!: string | null;
  @Column(text('visibility', nullable)) visibility!: string | null;
  @Column(int('current_version', nullable)) currentVersion!: number | null;
  @Column(int('revision')) revision!: number;
}

@Entity({ schema: 'read', name: 'memory_version' })
export class MemoryVersionEntity {
  @Column(text('memory', primary)) memory!: string;
  @Column(int('version', primary)) version!: number;
  @Column(text('content')) content!: string;
  @Column(int('bytes')) bytes!: number;
  @Column(text('sha256')) sha256!: string;
  @Column(time('at')) at!: Date;
}
