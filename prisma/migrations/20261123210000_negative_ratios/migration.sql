-- Placement takes a negative ratio, with which nothing fits; a client that writes one must not be answered 500. Infinite
-- ratios and NaN stay out.
alter table inventory drop constraint inventory_allocation_ratio_finite;
alter table inventory
  add constraint inventory_allocation_ratio_finite check (allocation_ratio between -3.40282e38 and 3.40282e38) not valid;
comment on constraint inventory_allocation_ratio_finite on inventory is 'expected a finite ratio';
