From Coq Require Import Reals Lra Psatz.
From Interval Require Import Tactic.
Open Scope R_scope.

Lemma exp_le_mono a b : a <= b -> exp a <= exp b.
Proof. intros [H|H]; [left; apply exp_increasing; exact H | subst; right; reflexivity]. Qed.
Lemma exp_le_1 a : a <= 0 -> exp a <= 1.
Proof. rewrite <- exp_0; apply exp_le_mono. Qed.
Lemma exp_lt_1 a : a < 0 -> exp a < 1.
Proof. rewrite <- exp_0; apply exp_increasing. Qed.
Lemma exp_ge_1 a : 0 <= a -> 1 <= exp a.
Proof. rewrite <- exp_0; apply exp_le_mono. Qed.
Lemma exp_gt_1 a : 0 < a -> 1 < exp a.
Proof. rewrite <- exp_0; apply exp_increasing. Qed.
Lemma ln_pos a : 1 < a -> 0 < ln a.
Proof. rewrite <- ln_1; apply ln_increasing; lra. Qed.
Lemma ln_neg a : 0 < a -> a < 1 -> ln a < 0.
Proof. intros; rewrite <- ln_1; apply ln_increasing; lra. Qed.
Lemma ln_nonneg a : 1 <= a -> 0 <= ln a.
Proof. intros [H|H]; [left; apply ln_pos; exact H | subst; rewrite ln_1; right; reflexivity]. Qed.
Lemma ln_nonpos a : 0 < a -> a <= 1 -> ln a <= 0.
Proof. intros P [H|H]; [left; apply ln_neg; assumption | subst; rewrite ln_1; right; reflexivity]. Qed.
Lemma sum_pos a b : 0 < a -> 0 <= b -> 0 < a + b. Proof. lra. Qed.
Lemma sum_pos' a b : 0 <= a -> 0 < b -> 0 < a + b. Proof. lra. Qed.
Lemma sub_pos a b : b < a -> 0 < a - b. Proof. lra. Qed.
Lemma sub_nonneg a b : b <= a -> 0 <= a - b. Proof. lra. Qed.
Lemma le_of a b : 0 <= b - a -> a <= b. Proof. lra. Qed.
Lemma lt_of a b : 0 < b - a -> a < b. Proof. lra. Qed.

Lemma both_neg a b : a < 0 -> b < 0 -> 0 < a * b. Proof. nra. Qed.
Lemma both_nonpos a b : a <= 0 -> b <= 0 -> 0 <= a * b. Proof. nra. Qed.
Lemma pos_neg a b : 0 < a -> b < 0 -> a * b < 0. Proof. nra. Qed.
Lemma neg_pos a b : a < 0 -> 0 < b -> a * b < 0. Proof. nra. Qed.
Lemma nonneg_nonpos a b : 0 <= a -> b <= 0 -> a * b <= 0. Proof. nra. Qed.
Lemma nonpos_nonneg a b : a <= 0 -> 0 <= b -> a * b <= 0. Proof. nra. Qed.
Lemma sub_neg a b : a < b -> a - b < 0. Proof. lra. Qed.
Lemma sub_nonpos a b : a <= b -> a - b <= 0. Proof. lra. Qed.
Lemma quotient_lt_1 a b : 0 < b -> a < b -> a / b < 1.
Proof. intros; apply Rmult_lt_reg_r with b; [assumption|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra. Qed.
Lemma quotient_le_1 a b : 0 < b -> a <= b -> a / b <= 1.
Proof. intros; apply Rmult_le_reg_r with b; [assumption|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra. Qed.

(* The sign of a goal, read off its form; `cmp` compares with what an exponential or a logarithm is compared with. *)
Ltac sgn :=
  first
  [ assumption | lra
  | match goal with
    | |- 0 < exp _ => apply exp_pos
    | |- 0 <= exp _ => left; apply exp_pos
    | |- 0 < PI => apply PI_RGT_0
    | |- 0 <= sqrt _ => apply sqrt_pos
    | |- 0 < sqrt _ => apply sqrt_lt_R0; sgn
    | |- 0 <= ?a ^ 2 => apply pow2_ge_0
    | |- 0 <= ?a * ?a => apply Rle_0_sqr
    | |- 0 < ?a * ?b => first [apply Rmult_lt_0_compat; sgn | apply both_neg; sgn]
    | |- 0 <= ?a * ?b => first [apply Rmult_le_pos; sgn | apply both_nonpos; sgn]
    | |- ?a * ?b < 0 => first [apply pos_neg; sgn | apply neg_pos; sgn]
    | |- ?a * ?b <= 0 => first [apply nonneg_nonpos; sgn | apply nonpos_nonneg; sgn]
    | |- 0 < / ?a => apply Rinv_0_lt_compat; sgn
    | |- 0 <= / ?a => left; apply Rinv_0_lt_compat; sgn
    | |- / ?a < 0 => apply Rinv_lt_0_compat; sgn
    | |- _ < _ / _ => unfold Rdiv; sgn
    | |- _ <= _ / _ => unfold Rdiv; sgn
    | |- _ / _ < _ => unfold Rdiv; sgn
    | |- _ / _ <= _ => unfold Rdiv; sgn
    | |- 0 < ?a ^ _ => apply pow_lt; sgn
    | |- 0 <= ?a ^ _ => apply pow_le; sgn
    | |- 0 < ln _ => apply ln_pos; cmp
    | |- 0 <= ln _ => apply ln_nonneg; cmp
    | |- ln _ < 0 => apply ln_neg; cmp
    | |- ln _ <= 0 => apply ln_nonpos; cmp
    | |- 0 < - _ => apply Ropp_0_gt_lt_contravar; sgn
    | |- 0 <= - _ => apply Ropp_0_ge_le_contravar; apply Rle_ge; sgn
    | |- - _ < 0 => apply Ropp_lt_gt_0_contravar; apply Rlt_gt; sgn
    | |- 0 <= Rmax ?a ?b => first [apply Rle_trans with a; [sgn | apply Rmax_l] | apply Rle_trans with b; [sgn | apply Rmax_r]]
    | |- 0 < ?a + ?b => first [apply sum_pos; sgn | apply sum_pos'; sgn]
    | |- 0 <= ?a + ?b => apply Rplus_le_le_0_compat; sgn
    | |- 0 < ?a - ?b => apply sub_pos; cmp
    | |- 0 <= ?a - ?b => apply sub_nonneg; cmp
    | |- ?a - ?b < 0 => apply sub_neg; cmp
    | |- ?a - ?b <= 0 => apply sub_nonpos; cmp
    end
  | cmp ]
with cmp :=
  first
  [ lra
  | match goal with
    | |- exp _ < 1 => apply exp_lt_1; sgn
    | |- exp _ <= 1 => apply exp_le_1; sgn
    | |- 1 < exp _ => apply exp_gt_1; sgn
    | |- 1 <= exp _ => apply exp_ge_1; sgn
    | |- ?a / ?b < 1 => apply quotient_lt_1; [sgn | cmp]
    | |- ?a / ?b <= 1 => apply quotient_le_1; [sgn | cmp]
    end
  | nra ].
(* What every exponential, logarithm, root and quotient of the goal is known to be. *)
Ltac of_exp x :=
  generalize (exp_pos x); try (assert (exp x < 1) by (apply exp_lt_1; first [lra | nra]));
  try (assert (exp x <= 1) by (apply exp_le_1; first [lra | nra]));
  try (assert (1 < exp x) by (apply exp_gt_1; first [lra | nra]));
  try (assert (1 + x <= exp x) by (apply exp_ineq1_le)).
Ltac facts :=
  repeat match goal with
  | |- context [exp ?x] => lazymatch x with context [exp _] => fail | _ => of_exp x; let e := fresh "e" in set (e := exp x) in *; clearbody e end
  | |- context [sqrt ?x] => generalize (sqrt_pos x); let e := fresh "e" in set (e := sqrt x) in *; clearbody e
  end; intros.
Ltac nonzero := first [ apply Rgt_not_eq; solve [sgn] | apply Rlt_not_eq; solve [lra] | solve [nra] ].
Ltac equal :=
  repeat rewrite exp_ln by (solve [sgn]); repeat rewrite ln_exp;
  first [ solve [field; repeat split; nonzero]
        | f_equal; solve [field; repeat split; nonzero]
        | f_equal; f_equal; solve [field; repeat split; nonzero]
        | progress (repeat rewrite Rmult_assoc); f_equal; f_equal; solve [field; repeat split; nonzero] ].
Ltac cases := unfold Rmax, Rmin in *; repeat match goal with |- context [Rle_dec ?a ?b] => destruct (Rle_dec a b) end.
Ltac gap := match goal with |- _ < _ => apply lt_of | |- _ <= _ => apply le_of end.
Ltac close := intros; first
  [ lra
  | match goal with |- _ = _ => solve [timeout 5 equal] end
  | solve [timeout 3 sgn]
  | solve [timeout 5 nra]
  | solve [timeout 10 interval]
  | solve [gap; first [solve [timeout 3 sgn] | solve [timeout 5 nra]]]
  | solve [timeout 10 (cases; first [lra | nra])]
  | solve [timeout 10 (facts; cases; first [lra | nra | sgn])]
  | solve [timeout 4 (gap; match goal with
    | a : R, b : R, c : R |- _ => interval with (i_bisect a, i_bisect b, i_bisect c, i_depth 20)
    | a : R, b : R |- _ => interval with (i_bisect a, i_bisect b, i_depth 25)
    | a : R |- _ => interval with (i_bisect a, i_depth 30) end)]
  | match goal with |- _ <= _ => right; solve [timeout 5 equal] end
  | solve [timeout 10 (gap; field_simplify; first [sgn | nra])]
  | solve [timeout 10 (gap; field_simplify; [first [sgn | nra] | repeat split; nonzero ..])] ].
