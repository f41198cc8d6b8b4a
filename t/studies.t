# The studies that ship: what `check` says of them before the fit, what `fit` makes of them, and
# that it is what the fit files under fits/ hold, by field and tolerance.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use Program;
use Test::More;

draw_no_figures();

my $dir = tempdir(CLEANUP => 1);

sub document { return decode_json(slurp($_[0]) || '{}') }

# Numbers of the files that ship are held to 1e-6: another compiler or library may round otherwise.
my $tolerance = 1e-6;

# Of a known law, or no worse than weak.
my %exit = map { $_ => 0 } qw(indentation_synthetic_gel golf_ball_bounces tennis_ball_bounces
    synthetic_ball_heights synthetic_bounce_recording alumina_on_glass);
for my $name (qw(croquet_ball_on_wood golf_ball_drop_rebound tennis_ball_drop_rebound screw_drive
                 golf_ball_bounces tennis_ball_bounces synthetic_ball_heights synthetic_bounce_recording
                 alumina_on_glass_sliding),
              $full ? qw(indentation_synthetic_gel alumina_on_glass) : ()) { # of 20 s each
    my ($status, $out, $err) = contactfit({figures => $name eq 'golf_ball_drop_rebound'}, 'fit', "$srcdir/fits/$name.yaml", '-o', $dir);
    my $exit = $exit{$name} // 3;
    is($status, $exit, "$name: exit $exit");
    $err =~ s/^note: .*\n//mg if $name =~ /_(?:bounces|recording|heights)$/; # bounces.t, heights.t
    is($err, "wrote $dir/$name.json and $dir/$name.html\n", "$name: says what it wrote");
    my $got = document("$dir/$name.json");
    my $want = document("$srcdir/fits/$name.json");
    is($got->{verdict}{status}, $want->{verdict}{status}, "$name: the verdict");
    is_deeply($got->{verdict}, $want->{verdict}, "$name: and its reasons, word for word");
    is_deeply([sort keys %{$got->{parameters}}], [sort keys %{$want->{parameters}}],
        "$name: its parameters");
    for my $p (sort keys %{$want->{parameters}}) {
        my ($g, $w) = ($got->{parameters}{$p}, $want->{parameters}{$p});
        is($g->{verdict}, $w->{verdict}, "$name: $p is $w->{verdict}");
        if (!$w->{interval}) {
            is($g->{interval}, undef, "$name: $p has no interval");
            next;
        }
        is_near($g->{value}, $w->{value}, $tolerance, "$name: $p");
        is_near($g->{interval}{$_}, $w->{interval}{$_}, $tolerance, "$name: $_ end of $p")
            for grep { defined $w->{interval}{$_} } qw(low high);
    }
    is_near($got->{combinations}[$_]{value}, $want->{combinations}[$_]{value}, $tolerance,
        "$name: $want->{combinations}[$_]{name}")
        for 0 .. $#{$want->{combinations}};
    is_near($got->{statistics}{$_}, $want->{statistics}{$_}, $tolerance, "$name: $_")
        for qw(chi2 bic minus_2_log_likelihood);
    is_deeply([map { $_->{law} } @{$got->{rivals}}], [map { $_->{law} } @{$want->{rivals}}],
        "$name: the order of the rivals");
    is_near($got->{rivals}[$_]{bic}, $want->{rivals}[$_]{bic}, $tolerance,
        "$name: BIC of $want->{rivals}[$_]{law}")
        for 0 .. $#{$want->{rivals}};
    is_deeply([map { $_->{sha256} } @{$got->{data}}], [map { $_->{sha256} } @{$want->{data}}],
        "$name: the data are those of the file");
    is((stat "$dir/$name.html")[7] > 1e4, 1, "$name: there is a page");
}

# croquet: what was measured by hand before this program was there
{
    my $fit = document("$dir/croquet_ball_on_wood.json");
    is($fit->{verdict}{status}, 'misfit', 'croquet: the law misfits');
    like(join(' ', @{reasons($fit)}), qr/along the speed the readings depart from the law by up to 0\.0068, at speed 0\.5 m\/s/,
        'croquet: by how much, and where');
    my %rival = map { $_->{law} => $_ } @{$fit->{rivals}};
    my ($own) = grep { $_->{own} } @{$fit->{rivals}};
    is_deeply([sort map { $_->{law} } @{$fit->{rivals}}[0 .. 2]], [qw(e-log e-power power)],
        'croquet: three laws lead');
    ok($rival{$_}{delta_aicc} < 1, "croquet: the data do not part $_ from the other two")
        for qw(e-log e-power power);
    ok($own->{delta_aicc} > 10, 'croquet: far ahead of the own law');
    ok($rival{'e-log'}{rms}{restitution} < 0.0013, 'croquet: e-log is within 0.0013 rms');
    is($fit->{held_out}{n}, 2, 'croquet: two rows are held out');
    is(scalar(grep { $_->{at_optimum} } @{$fit->{starts}}), 24, 'croquet: all starts agree');
    ok($fit->{solver_bias}{passed}, 'croquet: the solver is no source of damping');
}

# the same bytes again; another seed, the same optimum
{
    my $before = slurp("$dir/croquet_ball_on_wood.json");
    my ($status, $out) = contactfit('fit', "$srcdir/fits/croquet_ball_on_wood.yaml", '-o', $dir, '--json', '-q');
    is($out, $before, '--json prints what the fit file holds, and a second run makes the same bytes');
    contactfit('fit', "$srcdir/fits/croquet_ball_on_wood.yaml", '-o', $dir, '--seed', '7', '-q');
    my ($one, $other) = (decode_json($before), document("$dir/croquet_ball_on_wood.json"));
    is($other->{seed}, 7, 'another seed');
    is_near($other->{parameters}{k}{value}, $one->{parameters}{k}{value}, 1e-7, 'the same k');
}

sub frac
{
    my ($x) = @_;
    return $x - int $x;
}

# the page is made from the fit file alone
{
    mkdir "$dir/again";
    contactfit('report', "$dir/golf_ball_drop_rebound.json", '-o', "$dir/again", '-q');
    ok(slurp("$dir/again/golf_ball_drop_rebound.html") eq slurp("$dir/golf_ball_drop_rebound.html"),
        'report makes the same page from the fit file');
}

# before any fit
{
    my ($status, $out) = contactfit('check', "$srcdir/fits/golf_ball_drop_rebound.yaml");
    is($status, 3, 'heights alone: check exits 3');
    like($out, qr/k +not by itself\n +lambda +not by itself\n +they identify lambda\/\(k\^0\.6 m\^0\.4\) only/,
        'heights alone: it names the combination');
    like($out, qr/to identify them separately, add duration .* or k from Hertz/, 'and what would part them');
    ($status, $out) = contactfit('check', "$srcdir/fits/golf_ball_drop_rebound.yaml", '--json');
    my $json = decode_json($out);
    is_deeply($json->{combinations}, ['lambda/(k^0.6 m^0.4)'], 'as JSON, too');
    ok((grep { $_ eq 'duration' } @{$json->{helpful}}), 'a contact time is named there');
    ($status, $out) = contactfit('check', "$srcdir/fits/croquet_ball_on_wood.yaml");
    is($status, 0, 'with contact times check exits 0');
    like($out, qr/k +yes, to about 1\.\d %\n +lambda +yes, to about 1\.\d %/, 'and expects small errors');
}

# What is foreseen is what a fit says, of every kind of protocol: "weak" by its rule, and widths nearly. The first rise
# of the drive is at the limit, and tosses are of clusters.
for my $name (qw(alumina_on_glass alumina_on_glass_sliding croquet_ball_on_wood golf_ball_bounces presliding_loops
    synthetic_ball_heights synthetic_bounce_recording synthetic_force_accommodation synthetic_force_pulses synthetic_tap
    tennis_ball_bounces))
{
    my ($status, $out) = contactfit('check', "$srcdir/fits/$name.yaml", '--json');
    my ($check, $fit) = (decode_json($out), decode_json(slurp("$srcdir/fits/$name.json")));
    my (@words, @widths);
    for my $parameter (sort keys %{$check->{foreseen}}) {
        my $one = $fit->{parameters}{$parameter} or next;
        my $seen = $check->{foreseen}{$parameter};
        push @words, $parameter if ($one->{verdict} eq 'weak') != $seen->{weak};
        my ($i, $j) = ($one->{interval}, $seen);
        next if grep { !defined } @$i{qw(low high)}, @$j{qw(low high)};
        my $ratio = ($j->{high} - $j->{low}) / ($i->{high} - $i->{low});
        push @widths, "$parameter: $ratio" if $ratio < 0.6 || $ratio > 1.5;
    }
    is($status, 0, "check of $name");
    is("@words", '', 'calls weak what the fit calls weak');
    is("@widths", '', 'and foresees the widths');
}

# The same of tables that are drawn here: few rows, or all at nearly one speed, with sigmas that are estimated.
{
    my %seen;
    for my $case (map { [$_, 3], [$_, 30] } 0.02, 0.5, 3) {
        my ($span, $n) = @$case; # in ln v
        my $rows = '';
        for my $i (1 .. 2 * $n) {
            my $v = exp($span * ($i - $n) / $n);
            my $e = 0.8 - 0.05 * log($v) + 0.01 * (2 * frac(0.618034 * $i) - 1);
            $rows .= sprintf "      - {speed: %.6g m/s, restitution: %.6g}\n", $v, $e;
        }
        spew("$dir/drawn.yaml", "contactfit: study/1\nbodies: {ball: {sphere: {diameter: 92 mm}, mass: 450 g}, block: {plane: {}, fixed: true}}\n"
            . "law: e-log\nrivals: []\ngroup: none\ndata:\n  - name: rebound\n    protocol: impact\n    rows:\n$rows    sigma: {restitution: estimate}\n");
        my (undef, $out) = contactfit('check', "$dir/drawn.yaml", '--json');
        my $check = decode_json($out);
        contactfit('fit', "$dir/drawn.yaml", '-q');
        my $fit = decode_json(slurp("$dir/drawn.json"));
        for my $parameter (qw(e_at_1 b)) {
            my ($one, $seen) = ($fit->{parameters}{$parameter}, $check->{foreseen}{$parameter});
            is($seen->{weak} ? 'weak' : 'fine', $one->{verdict}, "$parameter of " . 2 * $n . " rows over $span in ln v");
            $seen{$one->{verdict}}++;
            next if grep { !defined } @{$one->{interval}}{qw(low high)}, @$seen{qw(low high)};
            my $ratio = ($seen->{high} - $seen->{low}) / ($one->{interval}{high} - $one->{interval}{low});
            cmp_ok(abs(log $ratio), '<', log 1.5, 'is as wide');
        }
    }
    cmp_ok($seen{weak}, '>=', 3, 'some of them are weak');
    cmp_ok($seen{fine}, '>=', 3, 'and some fine');
}

# k alone, of which e says nothing: k from the materials would be no fit of it
{
    spew("$dir/alone.yaml", <<'END');
contactfit: study/1
bodies: {ball: {sphere: {diameter: 92 mm}, mass: 450 g}, block: {plane: {}, fixed: true}}
law: hunt-crossley
fit: {k: {}}
fixed: {a: 0.05 s/m}
data:
  - name: rebound
    protocol: impact
    rows: [{speed: 1 m/s, restitution: 0.96}, {speed: 2 m/s, restitution: 0.93}, {speed: 4 m/s, restitution: 0.86}]
    sigma: {restitution: 0.01}
END
    my ($status, $out) = contactfit('fit', "$dir/alone.yaml");
    $out =~ s/\s+/ /g;
    is($status, 3, 'k alone from restitutions: exit 3');
    like($out, qr/k has no influence on anything that was measured > to identify it, add duration \(/, 'what would help');
    unlike($out, qr/k from Hertz/, 'and not that k is given');
    like($out, qr/hold k at a known value/, 'but that it is held');
}

# limits, and what cannot be compared
sub small_study {
    my ($name, $law, $rows, $sigma) = @_;
    spew("$dir/$name.yaml", <<"END");
contactfit: study/1
title: $name (invented)
bodies: {ball: {sphere: {diameter: 40 mm}, mass: 31 g}, floor: {plane: {}, fixed: true}}
$law
data:
  - name: drops
    protocol: impact
    rows: [$rows]
    sigma: $sigma
END
    return contactfit({in => $dir}, 'fit', "$name.yaml");
}
{
    my $times = '{speed: 1, duration: 1 ms}, {speed: 2, duration: 0.87 ms}, {speed: 3, duration: '
        . '0.80 ms}, {speed: 4, duration: 0.757 ms}';
    my ($status, $out) = small_study('limit', "law: hunt-crossley\nfit: {k: {}, a: {}}\n"
        . 'rivals: [gonthier, e-constant]', $times, '{duration: 0.01 ms}');
    is($status, 0, 'a damping that is not seen: exit 0');
    like($out, qr/^  a +below 0\.127 s\/m  \(at bound\)$/m, 'it is a limit, not a number');
    like($out, qr/^  hc_slope +below 0\.0845 s\/m  \(at bound\)$/m, 'in every alias');
    unlike($out, qr/^  lambda /m, 'what follows from it and from k is not given');
    like($out, qr/The rivals were not compared: nothing that all laws predict was measured\./,
        'rivals without a common row');
    my $page = slurp("$dir/limit.html");
    like($page, qr/below 0\.127/, 'the page says the limit');
    like($page, qr/The rivals were not compared/, 'and why there is no comparison');

    ($status, $out) = small_study('dead', "law: gonthier\nfit: {k: {}, e: {}, v_small: {}}",
        '{speed: 1, restitution: 0.7, peak_force: 100 N}, {speed: 2, restitution: 0.7, peak_force: '
        . '230 N}, {speed: 3, restitution: 0.71, peak_force: 380 N}',
        '{restitution: 0.01, peak_force: 2 %}');
    is($status, 3, 'a dead parameter: exit 3');
    like($out, qr/v_small has no influence on anything that was measured\n  > hold v_small at a known/,
        'it is named, and what to do');
    like($out, qr/^  v_small +not identified  \(dead\)$/m, 'and has no value');
}

# two pairs of bodies share the materials' numbers, not the pair's
{
    spew("$dir/pairs.yaml", <<'END');
contactfit: study/1
title: two pairs (invented)
bodies:
  ball:  {sphere: {diameter: 40 mm}, mass: 31 g}
  heavy: {sphere: {diameter: 60 mm}, mass: 100 g}
  floor: {plane: {}, fixed: true}
law: azad-featherstone
fit: {effective_modulus: {}, lambda_star: {}}
data:
  - name: on the floor
    protocol: impact
    between: [ball, floor]
    rows:
      - {speed: 1, restitution: 0.80, duration: 1.00 ms}
      - {speed: 2, restitution: 0.77, duration: 0.87 ms}
      - {speed: 4, restitution: 0.73, duration: 0.76 ms}
    sigma: {restitution: 0.01, duration: 0.02 ms}
  - name: ball on ball
    protocol: impact
    between: [ball, heavy]
    rows: [{speed: 1, restitution: 0.79}, {speed: 2, restitution: 0.76}, {speed: 4, restitution: 0.71}]
    sigma: {restitution: 0.01}
hold-out:
  - {data: on the floor, where: speed > 3 m/s}
  - {data: ball on ball, where: speed > 3 m/s}
END
    my ($status, $out) = contactfit({in => $dir}, 'fit', 'pairs.yaml');
    is($status, 0, 'a joint fit of two pairs');
    like($out, qr/^  lambda_star .*\(fine\)$/m, 'lambda_star is one number');
    unlike($out, qr/^  (?:k|lambda) /m, 'k and lambda are two, and not shown as one');
    my $fit = document("$dir/pairs.json");
    my @miss = map { $_->{value} - $_->{predicted} }
        grep { $_->{use} eq 'held-out' && $_->{channel} eq 'restitution' } @{$fit->{observations}};
    is(scalar @miss, 2, 'a held-out restitution of each pair');
    is_near($fit->{held_out}{rms}{restitution}, sqrt(($miss[0]**2 + $miss[1]**2) / 2), 1e-12,
        'their root mean square counts both');
}

done_testing();
